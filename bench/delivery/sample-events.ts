/** Tag events as the gateway makes them of synthetic reads: what a floor sends. */
import { type SplitEvent, splitText } from '../../src/reader-gateway/delivery/event-bytes.js';
import { syntheticRead } from './recording.js';

const DIFFERENT = 1000;
/** As many digits as the numbers of a run have. */
const FIRST_NUMBER = 100_000;

/** Which events, and with what, the reader reports while it is measured. */
export const MODE = {
  type: 'SIMPLE',
  reportFilter: { duration: 0, type: 'RADIO_WIDE' },
  tagMetaData: ['ANTENNA', 'RSSI', 'SEEN_COUNT'],
};

export function tagEvent(index: number) {
  const { antenna, epc, rssiDbm } = syntheticRead(index, 0);
  return {
    data: {
      antenna,
      eventNum: FIRST_NUMBER + index,
      format: 'epc',
      idHex: epc,
      peakRssi: rssiDbm,
      reads: 1,
    },
    timestamp: '2026-05-06T07:08:10.000+0000',
    type: MODE.type,
  };
}

/** Sample events as the gateway's formatter hands them to the endpoints, which number them. */
export function splitEvents(): SplitEvent[] {
  return Array.from({ length: DIFFERENT }, (_, index) => {
    const text = JSON.stringify(tagEvent(index));
    const number = `"eventNum":${FIRST_NUMBER + index}`;
    const at = text.indexOf(number);
    return splitText(`${text.slice(0, at)}"eventNum":`, text.slice(at + number.length));
  });
}

const texts = Array.from({ length: DIFFERENT }, (_, index) => JSON.stringify(tagEvent(index)));
const eventBytes = texts[0]?.length ?? 0;

export function eventsPerMessage(form: Form): number {
  if (form.kind === 'event') return 1;
  // Each event brings its comma, the closing bracket or its line end.
  return Math.floor((form.maxBytes - 1) / (eventBytes + 1));
}

export type Form =
  /** One event is a message. */
  | { kind: 'event' }
  /** An array of events, of at most so many bytes. */
  | { kind: 'array'; maxBytes: number }
  /** One event a line, so many lines at once. */
  | { kind: 'lines'; maxBytes: number };

/** The text of a message, joined of the ready texts of its events, as who has them would. */
export function joinedMessage(index: number, form: Form): string {
  const events = eventsPerMessage(form);
  const first = index * events;
  const of = (i: number) => texts[(first + i) % DIFFERENT] as string;
  switch (form.kind) {
    case 'event':
      return of(0);
    case 'array': {
      let text = `[${of(0)}`;
      for (let i = 1; i < events; i++) text += `,${of(i)}`;
      return `${text}]`;
    }
    case 'lines': {
      let text = '';
      for (let i = 0; i < events; i++) text += `${of(i)}\n`;
      return text;
    }
  }
}

/** Different messages, ready to be sent in turns. */
export function readyMessages(form: Form): string[] {
  const different = form.kind === 'event' ? DIFFERENT : 4;
  return Array.from({ length: different }, (_, i) => joinedMessage(i, form));
}
