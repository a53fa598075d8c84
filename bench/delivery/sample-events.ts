/** Tag events as the gateway makes them of synthetic reads: what a floor sends. */
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

const objects = Array.from({ length: DIFFERENT }, (_, index) => tagEvent(index));

/** Events that a message of at most so many bytes holds; undefined = one event is a message. */
export function eventsPerMessage(maxBytes: number | undefined): number {
  if (maxBytes === undefined) return 1;
  // Each event brings its comma, or the closing bracket.
  return Math.floor((maxBytes - 1) / (JSON.stringify(objects[0]).length + 1));
}

/** What the text of a message is made of: an event, or an array of them. */
export function messageObject(index: number, maxBytes: number | undefined): object {
  if (maxBytes === undefined) return objects[index % DIFFERENT] as object;
  const events = eventsPerMessage(maxBytes);
  const first = index * events;
  return Array.from({ length: events }, (_, i) => objects[(first + i) % DIFFERENT]);
}

/** Different messages, ready to be sent in turns. */
export function readyMessages(maxBytes: number | undefined): string[] {
  const different = maxBytes === undefined ? DIFFERENT : 4;
  return Array.from({ length: different }, (_, i) => JSON.stringify(messageObject(i, maxBytes)));
}
