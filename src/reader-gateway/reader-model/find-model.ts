/** The reader model of a radio, with the inputs and outputs that are really there. */
import { modelOf as modelByName } from '../../shared/reader-model/find-model.js';
import type { ReaderModel } from '../../shared/reader-model/reader-model.js';

export interface Radio {
  readerModel: string;
  antennas: readonly number[];
  beams: readonly number[];
  /** Left out, or null: as the model has them. */
  inputs?: number | null | undefined;
  outputs?: number | null | undefined;
}

export function modelOf(radio: Radio): ReaderModel {
  const model = modelByName(radio);
  return { ...model, gpis: radio.inputs ?? model.gpis, gpos: radio.outputs ?? model.gpos };
}
