/** What the documents know of the very reader that serves them. */

import type { ReaderModel } from '../../shared/reader-model/reader-model.js';
import type { ReaderCapabilities } from '../api/capabilities.js';
import type { RadioFacts } from '../mode/radio-facts.js';
import { getCapabilities } from '../operations/get-capabilities.js';
import type { OperationContext } from '../operations/operation.js';
import { modelOf } from '../reader-model/find-model.js';
import { type Country, countriesOf } from '../system/countries.js';

export interface ReaderFacts {
  radio: RadioFacts;
  model: ReaderModel;
  /** As it answers them. */
  capabilities: ReaderCapabilities;
  /** Names of the regions that can be set; none if that is not known. */
  regions: readonly string[];
  /** Of these regions. */
  countries: readonly Country[];
  /** Of its network. */
  interfaces: readonly string[];
}

/** @returns undefined if the radio was never there: then only what holds for all readers is known. */
export async function readerFacts(context: OperationContext): Promise<ReaderFacts | undefined> {
  const radio = await context.radio.capabilities().catch(() => undefined);
  if (radio === undefined) return undefined;
  const [capabilities, regions, interfaces] = await Promise.all([
    getCapabilities.run(context, {}, () => {}, '') as Promise<ReaderCapabilities>,
    context.radio.regions().then(
      (known) => known.regions,
      () => [],
    ),
    context.platform.network.read().then(Object.keys, () => []),
  ]);
  return {
    radio,
    model: modelOf(radio),
    capabilities,
    regions: regions.map(({ name }) => name),
    countries: countriesOf(regions),
    interfaces,
  };
}
