/** What goes out at once: events as they were kept, in the form that the endpoint takes. */
import { overflowEvent } from './losses.js';
import type { Part, Run, Span } from './retention/ring.js';

export interface Message {
  payload: Buffer;
  /** Tag events in it. */
  events: number;
  /** Of the tag events; undefined = there are none. */
  span: Span | undefined;
  parts: Part[];
  /** Losses that it tells of. */
  losses: Span[];
}

/**
 * A JSON array; one event; or JSON objects one after the other, each with a line end. The events
 * must have been kept with a comma (array) or a line end (the others) after each.
 */
export type Form = 'array' | 'event' | 'lines';

const OPEN = Buffer.from('[');
const CLOSE = ']'.charCodeAt(0);

export function composeMessage(run: Run, form: Form): Message {
  const { parts, bytes, count, ...rest } = run;
  const span = { count, ...rest };
  return { payload: compose(parts, bytes, form), events: count, span, parts, losses: [] };
}

function compose(parts: readonly Part[], bytes: number, form: Form): Buffer {
  const slices = parts.map(({ block, from, to }) => block.slice(from, to));
  const [first] = slices;
  if (form === 'array') {
    const payload = Buffer.concat([OPEN, ...slices], bytes + 1);
    // The bracket takes the place of the last comma.
    payload[bytes] = CLOSE;
    return payload;
  }
  const whole = slices.length === 1 && first !== undefined ? first : Buffer.concat(slices, bytes);
  return form === 'event' ? whole.subarray(0, -1) : whole;
}

/** The events that tell of losses. They have no part in the counts. */
export function overflowMessage(losses: Span[], form: Form): Message {
  const texts = losses.map(overflowEvent);
  const text = form === 'array' ? `[${texts.join(',')}]` : texts.join('\n');
  const end = form === 'lines' ? '\n' : '';
  return { payload: Buffer.from(text + end), events: 0, span: undefined, parts: [], losses };
}
