/**
 * Follows the read stream of a radio service for ever, across broken connections and restarts: it
 * goes on after the last report that came.
 */
import type { RadioClient } from './client.js';
import { type FollowHandlers, followStream } from './follow-stream.js';
import { type ReadBatch, StartPosition, type StreamReadsRequestInput } from './messages.js';
import { counterToNumber } from './time.js';

export interface FollowReadsHandlers extends Omit<FollowHandlers<ReadBatch>, 'onMessage'> {
  onBatch(batch: ReadBatch): void;
  /** The stream stands: here it begins. Called again after each reconnect. */
  onPlace?(place: ReadPlace): void;
}

/** Where a stream of reads begins. */
export interface ReadPlace {
  /** Sequence number of the first report that will come. */
  sequence: number;
  /** After the last report that came before: false the first time, and if the log is another one. */
  continued: boolean;
  /** Sequence numbers count within a log; another one after each start of the service. */
  logId: string;
}

/**
 * @param request Where to begin (`start`) counts for the first connection.
 * @returns a function that ends it.
 */
export function followReads(
  client: RadioClient,
  request: StreamReadsRequestInput,
  handlers: FollowReadsHandlers,
): () => void {
  // The first message then comes at once: an idle stream has a place to go on from as well.
  let start = request.start ?? {};
  let logId = '';
  return followStream(() => client.streamReads({ ...request, start }), {
    onMessage: (batch) => {
      if (batch.logId !== '') {
        const sequence = counterToNumber(batch.firstSequence);
        handlers.onPlace?.({ sequence, continued: batch.logId === logId, logId: batch.logId });
        logId = batch.logId;
      }
      start = { from: StartPosition.From.AFTER, logId, afterSequence: nextSequence(batch) - 1 };
      if (batch.reads.length > 0) handlers.onBatch(batch);
    },
    onConnected: () => handlers.onConnected?.(),
    onDisconnected: (reason) => handlers.onDisconnected?.(reason),
  });
}

/** Of the report after this batch. */
export function nextSequence({ nextSequence: told, firstSequence, reads }: ReadBatch): number {
  return counterToNumber(told) || counterToNumber(firstSequence) + reads.length;
}
