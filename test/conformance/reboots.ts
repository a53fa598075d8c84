/** Reboots of the emulated device, which some operations bring about after their answers. */
import { type TestReader, until } from '../gateway/reader.js';
import type { OperationCase } from './operation-case.js';

/** Of a case whose success ends in a reboot. */
export function rebooting(reader: TestReader): Required<Pick<OperationCase, 'before' | 'after'>> {
  let before = 0;
  return {
    before: async () => {
      before = reader.reboots;
    },
    after: async ({ failed }) => {
      if (!failed) await until('it has rebooted', () => reader.reboots > before, 60_000);
    },
  };
}
