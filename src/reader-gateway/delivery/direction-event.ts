/** Events of the directionality engine in the form that endpoints take. */
import { formatEventTime } from '../../platform/clock.js';
import type { DirectionEvent } from '../directionality/engine.js';
import { type SplitEvent, splitText } from './event-bytes.js';

export function splitDirectionEvent({ type, timeMs, data }: DirectionEvent): SplitEvent {
  // The number stands after the data, which is never empty.
  const head = `{"data":${JSON.stringify(data).slice(0, -1)},"eventNum":`;
  const tail = `},"timestamp":"${formatEventTime(timeMs)}","type":"${type}"}`;
  return splitText(head, tail);
}
