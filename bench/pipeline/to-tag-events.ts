/** Reads of the contract -> JSON tag events as the gateway makes them, and their floor. */
import type { ReadBatch } from '../../src/contract/messages.js';
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

const FLOOR_EVENTS = 500_000;
/** Keeps the work from being optimised away. */
export const written = { bytes: 0 };

/** @returns a subscriber that turns each read into the text of its event. */
export function toTagEvents(): (batch: ReadBatch) => void {
  const formatter = new TagEventFormatter(CONTENT, { mac: '', hostName: '' });
  let eventNum = 0;
  return ({ reads }) => {
    for (const read of reads) {
      const { head, tail } = formatter.format(read);
      written.bytes += (head + ++eventNum + tail).length;
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
