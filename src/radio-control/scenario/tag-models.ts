/**
 * The chips of simulated tags. Data: tag-models.json (sources: reference section 12; what is only
 * recalled says so). A TID is what the chip's maker burns in: E2h, the maker, the model and a
 * serial number that no other tag has.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_ROOT } from '../../shared/package-info.js';
import type { TagModel } from './tag-model-schema.js';
import type { VirtualTagModel } from './virtual-field.js';

export type { TagModel } from './tag-model-schema.js';

/** Without a model: tags that can do nothing special. */
export const PLAIN = 'plain';

let models: Map<string, TagModel> | undefined;

export function tagModels(): Map<string, TagModel> {
  if (models === undefined) {
    const file = join(PACKAGE_ROOT, 'src/radio-control/scenario/tag-models.json');
    const list = JSON.parse(readFileSync(file, 'utf8')) as TagModel[];
    models = new Map(list.map((model) => [model.name, model]));
  }
  return models;
}

const XTID_SERIAL_48 = 0x2000;

/** @param serial 0..2^48 - 1. */
export function tidOf(model: TagModel, serial: number): Uint8Array {
  const tid = Buffer.alloc(12);
  tid.write(model.tidPrefix, 'hex');
  if (model.xtid) tid.writeUInt16BE(XTID_SERIAL_48, 4);
  tid.writeUIntBE(serial, 6, 6);
  return tid;
}

/** What the native core needs of it. */
export function toVirtualModel(model: TagModel): VirtualTagModel {
  const { name, epcWords, userWords, writeSensitivityDbm, writeUsPerWord } = model;
  const { blockWrite, blockPermalock, untraceable } = model;
  return {
    ...{ name, epcWords, userWords, writeSensitivityDbm, writeUsPerWord },
    ...{ blockWrite, blockPermalock, untraceable },
  };
}
