/** A read hub, and clients of it without a network between. */

import { nextSequence } from '../../src/contract/follow-reads.js';
import { ReadBatch } from '../../src/contract/messages.js';
import { counterToNumber } from '../../src/contract/time.js';
import { ReadsEncoder } from '../../src/radio-control/reports/encode-reads.js';
import {
  type HubOptions,
  ReadHub,
  type SubscribeOptions,
} from '../../src/radio-control/reports/read-hub.js';
import { makeRecord } from './make-record.js';

export function hubWith(options: Partial<HubOptions> = {}) {
  let unblocked = 0;
  const hub = new ReadHub({ onUnblocked: () => unblocked++, ...options });
  const encoder = new ReadsEncoder();
  /** A run of reads, with what makeRecord() takes. */
  const publish = (reads: number, fields: Parameters<typeof makeRecord>[0] = {}, rssi = -5000) => {
    for (let i = 0; i < reads; i++) encoder.add(makeRecord(fields), 0, 1, rssi);
    hub.publish(encoder.finish());
  };
  return { hub, publish, unblocked: () => unblocked };
}

export const limits = (reads: number) => ({ limits: { reads, bytes: 1 << 24 } });

/** As most clients ask. */
export const plain: SubscribeOptions = {
  latencyMs: 1,
  maxReads: 1024,
  blocks: false,
  maxBlockMs: 0,
  clientName: 'test',
  announced: true,
  start: { from: 'now' },
  view: undefined,
};

/** A transport that takes what it gets, or nothing more while it is full. */
export function transport() {
  const messages: ReadBatch[] = [];
  const state = { full: false, ended: '' };
  return {
    state,
    messages,
    /** Those with reads. */
    get batches() {
      return messages
        .filter(({ reads }) => reads.length > 0)
        .map(({ firstSequence, dropped, reads }) => ({
          first: counterToNumber(firstSequence),
          dropped: counterToNumber(dropped),
          reads: reads.length,
        }));
    },
    /** Sequence numbers of all reads. */
    get numbers() {
      return this.batches.flatMap(({ first, reads }) =>
        Array.from({ length: reads }, (_, i) => first + i),
      );
    },
    get reads() {
      return messages.flatMap(({ reads }) => reads);
    },
    /** Where a client would go on. */
    get position() {
      const last = messages.at(-1) as ReadBatch;
      return { logId: messages[0]?.logId ?? '', sequence: nextSequence(last) - 1 };
    },
    send(bytes: Buffer): boolean {
      messages.push(ReadBatch.decode(bytes));
      return !state.full;
    },
    end(why: string, reason: string): void {
      state.ended = `${why}: ${reason}`;
    },
  };
}
