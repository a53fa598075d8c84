/** Reads of the contract -> JSON tag events as the gateway makes them, and their floor. */
import type { ReadBatch } from '../../src/contract/messages.js';
import { EventRing } from '../../src/reader-gateway/delivery/retention/ring.js';
import { TagEventFormatter } from '../../src/reader-gateway/delivery/tag-event.js';
import type { EventContent } from '../../src/reader-gateway/mode/meta-data.js';
import { measure, type Sample } from '../measure.js';

const CONTENT: EventContent = {
  type: 'INVENTORY',
  antenna: true,
  rssi: true,
  phase: false,
  channel: false,
  seenCount: true,
  pc: false,
  xpc: false,
  crc: false,
  mac: false,
  hostName: false,
  tagUri: false,
  epcUri: false,
  userDefined: undefined,
  antennaNames: new Map(),
  byBeam: false,
  banks: [],
  access: new Map(),
};

/** Taken as a batch then. */
const FULL_BYTES = 256_000;
const FLOOR_EVENTS = 500_000;
/** Keeps the work from being optimised away. */
export const written = { bytes: 0 };

/** @returns a subscriber that turns each read into its event in the ring of an endpoint. */
export function toTagEvents(): (batch: ReadBatch) => void {
  const formatter = new TagEventFormatter(CONTENT, { mac: '', hostName: '' });
  const ring = new EventRing(',');
  let eventNum = 0;
  return ({ reads }) => {
    for (const read of reads) {
      // The ring of an endpoint: its number beside the bytes of the event.
      ring.push(++eventNum, formatter.format(read), 0);
      if (ring.bytes < FULL_BYTES) continue;
      written.bytes += ring.take(Number.POSITIVE_INFINITY, FULL_BYTES)?.bytes ?? 0;
    }
  };
}

/** JSON.stringify of ready objects with the same content; 1,000 different ones in turns. */
export function tagEventFloor(): Promise<Sample> {
  const events = Array.from({ length: 1000 }, (_, i) => ({
    data: {
      antenna: 1 + (i % 4),
      eventNum: 1_000_000 + i,
      format: 'epc',
      idHex: `3034257bf400b7800000${i.toString(16).padStart(4, '0')}`,
      peakRssi: -40 - (i % 30),
      reads: 17,
    },
    timestamp: '2026-05-06T07:08:10.000+0000',
    type: 'INVENTORY',
  }));
  return measure(FLOOR_EVENTS, () => {
    for (let i = 0; i < FLOOR_EVENTS; i++) written.bytes += JSON.stringify(events[i % 1000]).length;
  });
}
