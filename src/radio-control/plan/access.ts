/** Access operations of an antenna, and the banks that reports carry, as one list for the radio. */
import { AccessOperation, type InventoryPlanInput } from '../../contract/messages.js';
import type { Violation } from '../../shared/errors.js';
import type { AccessInput } from '../addon/addon.js';

type Operations = NonNullable<NonNullable<InventoryPlanInput['antennas']>[number]['access']>;
type Reads = NonNullable<InventoryPlanInput['memory']>;

const MAX_MEMORY_READS = 16;
const NO_DATA = new Uint8Array();

export function compileMemory(reads: Reads, violations: Violation[]): AccessInput[] {
  if (reads.length > MAX_MEMORY_READS) {
    violations.push({
      field: 'memory',
      message: `${reads.length} given; allowed: at most ${MAX_MEMORY_READS}`,
    });
  }
  return reads.map((read, index) => {
    const { bank = 0, wordPointer = 0, wordCount = 0 } = read;
    if ((bank ?? 0) > 3) {
      violations.push({ field: `memory[${index}].bank`, message: `${bank} given; allowed: 0..3` });
    }
    if ((wordCount ?? 0) > 255) {
      violations.push({
        field: `memory[${index}].word_count`,
        message: `${wordCount} given; allowed: 0..255`,
      });
    }
    return accessInput({ kind: AccessOperation.Kind.READ, bank, wordPointer, wordCount });
  });
}

/**
 * Banks are read after the leading ACCESS operations, because their passwords may be what opens
 * them, and before everything else, because that may change or kill what they read.
 */
export function accessList(
  operations: Operations,
  memory: AccessInput[],
): { access: AccessInput[]; memoryFrom: number; memoryCount: number } {
  const list = operations.map(accessInput);
  const found = list.findIndex(({ kind }) => kind !== AccessOperation.Kind.ACCESS);
  const memoryFrom = found < 0 ? list.length : found;
  return {
    access: [...list.slice(0, memoryFrom), ...memory, ...list.slice(memoryFrom)],
    memoryFrom,
    memoryCount: memory.length,
  };
}

/** With its defaults. */
export function accessInput(given: Operations[number]): AccessInput {
  return {
    kind: given.kind ?? 0,
    bank: given.bank ?? 0,
    wordPointer: given.wordPointer ?? 0,
    wordCount: given.wordCount ?? 0,
    data: given.data ?? NO_DATA,
    password: given.password ?? 0,
    lockMask: given.lockMask ?? 0,
    lockAction: given.lockAction ?? 0,
  };
}
