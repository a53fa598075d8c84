/** The region of the radio: which there are, which one holds, and the change to another. */
import type { ListRegionsResponseInput, RegionInput } from '../contract/messages.js';
import { invalid, SingulateError } from '../shared/errors.js';
import type { OpenedRadio } from './open-radio.js';
import { SeededRandom } from './scenario/random.js';
import type { Region } from './scenario/region-schema.js';
import { loadRegion, regionChannels, regionNames } from './scenario/regions.js';
import type { Site, VirtualField } from './scenario/virtual-field.js';

/** What the service asks about the region. */
export interface RegionControl {
  /** What is known of the region that holds. */
  readonly site: Site | undefined;
  list(): ListRegionsResponseInput;
  /**
   * @param channelsKhz Which of its channels; none = all.
   * @throws INVALID, STATE, UNAVAILABLE
   */
  set(name: string, channelsKhz: readonly number[]): Promise<void>;
}

export class Regions implements RegionControl {
  #site: Site | undefined;
  #field: VirtualField | undefined;

  /** @param simulated undefined: the radio has its region from elsewhere. */
  constructor(
    private readonly inventory: { replaceRadio(open: () => ReturnType<OpenField>): void },
    site: Site | undefined,
    private readonly simulated: OpenedRadio['simulated'],
  ) {
    this.#site = site;
    this.#field = simulated?.field;
  }

  get site(): Site | undefined {
    return this.#site;
  }

  list(): ListRegionsResponseInput {
    return {
      regions:
        this.simulated === undefined
          ? []
          : regionNames().map((name) => regionMessage(name, loadRegion(name))),
      region: this.#site?.region ?? '',
      channelsKhz: ascending(this.#field?.channelsKhz ?? []),
    };
  }

  async set(name: string, channelsKhz: readonly number[]): Promise<void> {
    const field = this.#field;
    const { simulated } = this;
    if (field === undefined || simulated === undefined) {
      throw new SingulateError('STATE', 'the region of this radio module cannot be chosen');
    }
    const region = regionOf(name, regionNames());
    const chosen = chosenChannels(region, channelsKhz);
    // The scenario says how busy channels are only for the rule it came with.
    const { busyShare = 0 } = simulated.field.channelRule ?? {};
    const plan = regionChannels(region, new SeededRandom(field.seed), busyShare);
    const channels = plan.channelsKhz.filter((khz) => chosen.has(khz));
    const site = siteOf(name, region, this.#site);
    const next = { ...field, ...plan, channelsKhz: channels, site };
    this.inventory.replaceRadio(() => simulated.open(next));
    this.#site = site;
    this.#field = next;
  }
}

type OpenField = NonNullable<OpenedRadio['simulated']>['open'];

/** @throws INVALID if it is not one of those allowed. */
export function regionOf(name: string, allowed: readonly string[]): Region {
  if (allowed.includes(name)) return loadRegion(name);
  const message = `"${name}" is not one of ${allowed.join(', ')}`;
  throw invalid([{ field: 'region', message }]);
}

/** Site of a region; the reader stays the one it is. */
export function siteOf(name: string, region: Region, before: Site | undefined): Site {
  const { maxEirpDbm, channelWidthKhz } = region;
  return {
    region: name,
    ...(maxEirpDbm === undefined ? {} : { maxEirpDbm }),
    ...(channelWidthKhz === undefined ? {} : { channelWidthKhz }),
    ...(before?.readerModel === undefined ? {} : { readerModel: before.readerModel }),
  };
}

export function chosenChannels(region: Region, given: readonly number[]): Set<number> {
  const all = allChannels(region);
  if (given.length === 0) return new Set(all);
  const foreign = given.find((khz) => !all.includes(khz));
  if (foreign !== undefined) {
    const message = `${foreign} is not one of the region's channels ${all.join(', ')}`;
    throw invalid([{ field: 'channels_khz', message }]);
  }
  const chosen = new Set(given);
  if (region.hopping && chosen.size < all.length) {
    const message = `has ${chosen.size} of ${all.length} channels; where hopping is the rule all are used`;
    throw invalid([{ field: 'channels_khz', message }]);
  }
  return chosen;
}

export function allChannels({ channels }: Region): number[] {
  return ascending(
    channels.flatMap(({ firstKhz, stepKhz, count }) =>
      Array.from({ length: count }, (_, i) => firstKhz + i * stepKhz),
    ),
  );
}

export function regionMessage(name: string, region: Region): RegionInput {
  return {
    name,
    description: region.name,
    countries: region.countries,
    channelsKhz: allChannels(region),
    hopping: region.hopping,
    listens: (region.rule.listenMs ?? 0) > 0,
    maxEirpCdbm: Math.round((region.maxEirpDbm ?? 0) * 100),
  };
}

function ascending(values: readonly number[]): number[] {
  return [...values].sort((a, b) => a - b);
}
