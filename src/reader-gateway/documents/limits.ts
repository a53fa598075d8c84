/** What the limits of a reader make of the schemas that hold for all readers. */

import { CableLosses, SetCableLosses } from '../api/cable-loss.js';
import { ReaderCapabilities } from '../api/capabilities.js';
import { ExplainedAntenna } from '../api/explain.js';
import { GpioLed } from '../api/gpio-led.js';
import { Gpi, MODE_TYPES, OperatingMode } from '../api/mode.js';
import { GetNetwork } from '../api/network.js';
import {
  GetCountries,
  GetStandards,
  Regulatory,
  SetRegulatory,
  SupportedRegions,
} from '../api/region.js';
import type { TSchema } from '../api/schema.js';
import { Status } from '../api/status.js';
import { TagEvent } from '../api/tag-event.js';
import { SetTimeZone } from '../api/time.js';
import { powerLimits } from '../mode/transmit-power.js';
import { allVisits } from '../mode/visits.js';
import { displayNames, shortNames } from '../time-zones/time-zones.js';
import type { ReaderFacts } from './reader-facts.js';
import { ABSENT, type SchemaChanges } from './schema-table.js';

type Changes = Map<object, object | typeof ABSENT>;

export function limitsOf(facts: ReaderFacts | undefined): SchemaChanges {
  const changes: Changes = new Map();
  changes.set(SetTimeZone.properties.timeZone, { enum: [...displayNames(), ...shortNames()] });
  if (facts === undefined) return changes;
  limitMode(changes, facts);
  limitPorts(changes, facts);
  limitInputsAndOutputs(changes, facts);
  limitRegions(changes, facts);
  fixCapabilities(changes, facts);
  const { interface: name } = GetNetwork.properties;
  changes.set(name, { enum: ['all', ...facts.interfaces] });
  return changes;
}

function limitMode(changes: Changes, { radio, model }: ReaderFacts): void {
  const { properties } = OperatingMode;
  const numbers = allVisits(radio, model).map(({ number }) => number);
  const antenna = { type: 'integer', enum: numbers };
  changes.set(properties.antennas, { items: antenna, maxItems: numbers.length, uniqueItems: true });
  changes.set(TagEvent.properties.data.properties.antenna, antenna);
  changes.set(ExplainedAntenna.properties.antenna, antenna);

  const { minDbm, maxDbm, maxOf, defaultDbm } = powerLimits(radio, model);
  const power = { minimum: minDbm, maximum: maxDbm };
  changes.set(properties.transmitPower, {
    ...power,
    items: { type: 'number', ...power },
    default: defaultDbm,
    description: `dBm for all antennas, or one per antenna; the maximum is the ${maxOf}`,
  });

  const lacks = (has: boolean, ...parts: object[]) => {
    if (!has) for (const part of parts) changes.set(part, ABSENT);
  };
  lacks(model.beams !== undefined, properties.beams);
  lacks(model.rssiFilter && radio.hasRssiLimit, properties.rssiFilter);
  lacks(model.directionality, properties.directionalitySettings);
  lacks(radio.hasSelects, properties.select);
  lacks(radio.hasAccess, properties.access);
  if (!model.directionality) {
    changes.set(properties.type, { enum: MODE_TYPES.filter((type) => type !== 'DIRECTIONALITY') });
  }
  const { maxPreFilters } = model;
  // A list in the list is that of one antenna.
  const lists = properties.select as TSchema;
  if (radio.hasSelects) changes.set(lists.items, { maxItems: maxPreFilters });
}

/** Tables by antenna port. */
function limitPorts(changes: Changes, { radio }: ReaderFacts): void {
  const ports = radio.antennas.map(String);
  const byPort = (value: unknown) => Object.fromEntries(ports.map((port) => [port, value]));
  for (const table of [CableLosses, Status.properties.antennas]) {
    const [value] = Object.values(table.patternProperties);
    changes.set(table, { patternProperties: {}, properties: byPort(value), required: ports });
  }
  const { additionalProperties: cable, properties } = SetCableLosses;
  changes.set(SetCableLosses, { properties: { ...properties, ...byPort(cable) } });
}

/** Programs made for readers with more inputs send their keys too; without actions they are taken, and given back. */
const NO_ACTIONS = {
  type: ['array', 'null'],
  maxItems: 0,
  items: { type: 'object' },
  description: 'This reader has no such input',
};

function limitInputsAndOutputs(changes: Changes, { model }: ReaderFacts): void {
  changes.set(Gpi.properties.port, { maximum: model.gpis });
  const { properties } = OperatingMode.properties.portalSettings.properties.startTrigger;
  changes.set(properties.port, { maximum: Math.min(4, model.gpis) });
  const own = Object.entries(GpioLed.properties).map(([name, schema]) => {
    const [, input] = /^GPI_(\d+)_/.exec(name) ?? [];
    return [name, input === undefined || Number(input) <= model.gpis ? schema : NO_ACTIONS];
  });
  changes.set(GpioLed, { properties: Object.fromEntries(own) });
}

function limitRegions(changes: Changes, { regions, countries }: ReaderFacts): void {
  if (regions.length === 0) return;
  const ofOne = countries.filter((country) => country.regions.length === 1);
  const texts = ofOne.flatMap(({ country, name }) => [country, name]);
  const region = { enum: [...new Set([...regions, ...texts])] };
  for (const { properties } of [SetRegulatory, GetStandards, GetCountries]) {
    changes.set(properties.region, region);
  }
  changes.set(SupportedRegions.properties.SupportedRegions, {
    items: { type: 'string', enum: regions },
  });
  // Empty while the radio does not know it.
  changes.set(Regulatory.properties.region, { enum: [...regions, ''] });
}

/** Counts, and what is there or not, do not change on a reader. */
function fixCapabilities(changes: Changes, { capabilities }: ReaderFacts): void {
  const { properties } = ReaderCapabilities.properties.capabilities;
  const values: Readonly<Record<string, unknown>> = capabilities.capabilities;
  for (const [name, schema] of Object.entries(properties)) {
    const value = values[name];
    if (typeof value === 'number' || typeof value === 'boolean')
      changes.set(schema, { const: value });
  }
}
