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

/**
 * Ready messages of so many events each, in turns.
 * @param maxBytes Of a message with several events, an array; undefined = one event is a message.
 */
export function readyMessages(maxBytes: number | undefined): { texts: string[]; events: number } {
  const ready = Array.from({ length: DIFFERENT }, (_, index) => JSON.stringify(tagEvent(index)));
  if (maxBytes === undefined) return { texts: ready, events: 1 };
  // Each event brings its comma, or the closing bracket.
  const events = Math.floor((maxBytes - 1) / ((ready[0] as string).length + 1));
  const texts = [0, 1, 2, 3].map((turn) => {
    const parts = Array.from({ length: events }, (_, i) => ready[(turn * events + i) % DIFFERENT]);
    return `[${parts.join(',')}]`;
  });
  return { texts, events };
}
