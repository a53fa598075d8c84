/** A change of control as an event of the contract. */
import { ControlChanged } from '../../contract/messages.js';
import type { RadioNews } from '../events/event-log.js';
import type { ControlChange } from './control.js';

const { ACQUIRED, TAKEN_OVER, RELEASED, EXPIRED } = ControlChanged.Why;

const WHY: Readonly<Record<ControlChange['why'], number>> = {
  acquired: ACQUIRED,
  'taken over': TAKEN_OVER,
  released: RELEASED,
  expired: EXPIRED,
};

export function controlNews({ why, owner, previousOwner }: ControlChange): RadioNews {
  return { controlChanged: { why: WHY[why], owner, previousOwner } };
}
