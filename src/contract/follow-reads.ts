/** Follows the read stream of a radio service for ever, across its restarts. */
import { Backoff } from '../shared/backoff.js';
import type { RadioClient } from './client.js';
import type { ReadBatch } from './messages.js';

export interface FollowReadsHandlers {
  onBatch(batch: ReadBatch): void;
  /** The stream is open: the service answers. Called again after each reconnect. */
  onConnected?(): void;
  /** The stream is lost; it is tried again by itself. */
  onDisconnected?(reason: string): void;
}

/** @returns a function that ends it. */
export function followReads(
  client: RadioClient,
  maxLatencyMs: number,
  handlers: FollowReadsHandlers,
): () => void {
  const backoff = new Backoff({ firstMs: 100, maxMs: 2000 });
  let cancel = () => {};
  let timer: NodeJS.Timeout | undefined;
  let ended = false;

  const open = () => {
    const stream = client.streamReads({ maxLatencyMs });
    cancel = () => stream.cancel();
    let lost = false;
    const retry = (reason: string) => {
      if (ended || lost) return;
      lost = true;
      handlers.onDisconnected?.(reason);
      timer = setTimeout(open, backoff.next());
    };
    // The service sends its headers at once, so an idle stream is known to be open.
    stream.on('metadata', () => {
      backoff.reset();
      handlers.onConnected?.();
    });
    stream.on('data', (batch: ReadBatch) => {
      if (!ended) handlers.onBatch(batch);
    });
    stream.on('error', (error) => retry(error.message));
    stream.on('end', () => retry('the service ended the stream'));
  };
  open();

  return () => {
    ended = true;
    clearTimeout(timer);
    cancel();
  };
}
