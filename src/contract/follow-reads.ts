/** Follows the read stream of a radio service for ever, across its restarts. */
import type { RadioClient } from './client.js';
import { type FollowHandlers, followStream } from './follow-stream.js';
import type { ReadBatch } from './messages.js';

export interface FollowReadsHandlers extends Omit<FollowHandlers<ReadBatch>, 'onMessage'> {
  onBatch(batch: ReadBatch): void;
}

/** @returns a function that ends it. */
export function followReads(
  client: RadioClient,
  maxLatencyMs: number,
  handlers: FollowReadsHandlers,
): () => void {
  return followStream(() => client.streamReads({ maxLatencyMs }), {
    onMessage: (batch) => handlers.onBatch(batch),
    onConnected: () => handlers.onConnected?.(),
    onDisconnected: (reason) => handlers.onDisconnected?.(reason),
  });
}
