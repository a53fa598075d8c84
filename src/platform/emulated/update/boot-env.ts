/** What the boot loader of the emulated device remembers, and how it boots. Pure. */
import { type Static, Type } from '@sinclair/typebox';
import { SLOT_STATES, type SlotState } from '../../update-engine.js';
import { oneOf } from '../checked.js';

export const SLOTS = ['A', 'B'] as const;
export type SlotName = (typeof SLOTS)[number];

const SlotEnv = Type.Object({
  state: oneOf(SLOT_STATES),
  /** Of a slot on trial. */
  bootsLeft: Type.Integer({ minimum: 0 }),
});

export const BootEnv = Type.Object({
  booted: oneOf(SLOTS),
  primary: oneOf(SLOTS),
  slots: Type.Object({ A: SlotEnv, B: SlotEnv }),
  /** The boot of the device that `booted` is of. */
  bootId: Type.Optional(Type.String()),
});
export type BootEnv = Static<typeof BootEnv>;

export const FACTORY_ENV: BootEnv = {
  booted: 'A',
  primary: 'A',
  slots: { A: { state: 'good', bootsLeft: 0 }, B: { state: 'empty', bootsLeft: 0 } },
};

export function otherSlot(slot: SlotName): SlotName {
  return slot === 'A' ? 'B' : 'A';
}

export function withSlot(env: BootEnv, slot: SlotName, state: SlotState, bootsLeft = 0): BootEnv {
  return { ...env, slots: { ...env.slots, [slot]: { state, bootsLeft } } };
}

/**
 * A boot: a slot on trial spends one of its boots whether it comes up or not. One that has none
 * left, or that does not come up, makes room for the other.
 * @param comesUp Of a slot: is it whole, and does its version boot?
 * @throws if no slot boots: the device is a brick.
 */
export function boot(env: BootEnv, comesUp: (slot: SlotName) => boolean): BootEnv {
  let now = env;
  for (const slot of [env.primary, otherSlot(env.primary)]) {
    now = { ...now, primary: slot };
    while (now.slots[slot].state === 'trial') {
      const { bootsLeft } = now.slots[slot];
      if (bootsLeft === 0) {
        now = withSlot(now, slot, 'failed');
        break;
      }
      now = withSlot(now, slot, 'trial', bootsLeft - 1);
      if (comesUp(slot)) return { ...now, booted: slot };
    }
    if (now.slots[slot].state === 'good' && comesUp(slot)) return { ...now, booted: slot };
  }
  throw new Error('no slot of the emulated device boots');
}
