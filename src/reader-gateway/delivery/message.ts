/** What goes out at once: events as they were kept, in the form that the endpoint takes. */
import type { Lost } from './losses.js';
import { takeMemory } from './message-memory.js';
import type { Part, Run, Span } from './retention/ring.js';
import type { Framing } from './transport.js';

export interface Message {
  payload: Buffer;
  /** Without those that report losses. */
  events: number;
  /** Of these events; undefined = there are none. */
  span: Span | undefined;
  parts: Part[];
  /** Losses that it tells of. */
  losses: Span[];
  /** The payload holds packets of the transport. */
  framed: boolean;
}

/**
 * A JSON array; one event; JSON objects one after the other, each with a line end; or packets of
 * the transport. The events must have been kept with a comma (array) or a line end (the others)
 * after each.
 */
export type Form = 'array' | 'event' | 'lines' | Framing;

const NO_LOSSES: Span[] = [];
const OPEN = '['.charCodeAt(0);
const CLOSE = ']'.charCodeAt(0);

export function composeMessage(run: Run, form: Form): Message {
  const { parts, bytes, count, firstNum, lastNum, firstAtMs, lastAtMs } = run;
  const span = { count, firstNum, lastNum, firstAtMs, lastAtMs };
  const framed = typeof form === 'object';
  const payload = framed ? composeFrames(run, form) : compose(parts, bytes, form);
  return { payload, events: count, span, parts, losses: NO_LOSSES, framed };
}

// Always a copy: the memory of the blocks is used again.
function compose(parts: readonly Part[], bytes: number, form: 'array' | 'event' | 'lines'): Buffer {
  const isArray = form === 'array';
  const payload = takeMemory(isArray ? bytes + 1 : bytes);
  let at = 0;
  if (isArray) payload[at++] = OPEN;
  for (const { block, from, to } of parts) {
    const slice = block.slice(from, to);
    payload.set(slice, at);
    at += slice.length;
  }
  // The bracket takes the place of the last comma.
  if (isArray) payload[bytes] = CLOSE;
  return form === 'event' ? payload.subarray(0, -1) : payload;
}

function composeFrames({ parts, bytes, count }: Run, framing: Framing): Buffer {
  // An event has as many bytes less as its separator, and none is longer than all of them.
  const room = framing.copies * bytes + count * framing.overheadOf(bytes);
  const payload = takeMemory(room);
  let end = 0;
  for (const { block, from, to } of parts) {
    for (let index = from; index < to; index++) {
      const event = block.slice(index, index + 1);
      end = framing.write(payload, end, event.subarray(0, -1));
    }
  }
  return payload.subarray(0, end);
}

/** The events that report losses. They have no part in the counts. */
export function overflowMessage(
  losses: Span[],
  form: Form,
  overflow: (lost: Lost) => string,
): Message {
  const texts = losses.map(overflow);
  const rest = { events: 0, span: undefined, parts: [], losses };
  if (typeof form === 'object') {
    const events = texts.map((text) => Buffer.from(text));
    const sizes = events.map(({ length }) => framedBytes(form, length));
    const payload = Buffer.alloc(sizes.reduce((sum, size) => sum + size, 0));
    let end = 0;
    for (const event of events) end = form.write(payload, end, event);
    return { payload, framed: true, ...rest };
  }
  const text = form === 'array' ? `[${texts.join(',')}]` : texts.join('\n');
  const payload = Buffer.from(form === 'lines' ? `${text}\n` : text);
  return { payload, framed: false, ...rest };
}

function framedBytes(form: Framing, eventBytes: number): number {
  return form.copies * eventBytes + form.overheadOf(eventBytes);
}
