/** Tags with memory for the cases of one-off access. */
import type {
  AccessInput,
  AccessRequest,
  VirtualOptions,
} from '../../src/radio-control/addon/addon.js';
import { options } from './field.js';

export const PASSWORD = 0x11223344;

export function withMemory(): Partial<VirtualOptions> {
  const { groups } = options();
  return {
    groups: groups.map((group) => ({
      ...group,
      tags: group.tags.slice(0, 5).map((tag, i) => ({
        ...tag,
        tid: Uint8Array.of(0xe2, 0x80, 0x11, 0x60, 0, 0, 0, i),
        accessPassword: PASSWORD,
      })),
    })),
  };
}

export const epcOf = (i: number) => Uint8Array.of(0x30, 0x34, 0, 0, 0, 0, 0, 0, 0, 0, 0, i);

export function operation(changes: Partial<AccessInput> = {}): AccessInput {
  return {
    kind: 0,
    bank: 2,
    wordPointer: 0,
    wordCount: 4,
    data: new Uint8Array(),
    password: 0,
    lockMask: 0,
    lockAction: 0,
    ...changes,
  };
}

export function request(tag: number, changes: Partial<AccessRequest> = {}): AccessRequest {
  return {
    tag: { epc: epcOf(tag), bank: 1, pointer: 0, length: 0, mask: new Uint8Array() },
    antennas: [],
    operations: [operation()],
    timeoutMs: 10_000,
    ...changes,
  };
}
