/** Follows a stream of the radio service for ever, across its restarts. */
import type { ClientReadableStream } from '@grpc/grpc-js';
import { Backoff } from '../shared/backoff.js';

export interface FollowHandlers<Message> {
  onMessage(message: Message): void;
  /** The stream is open: the service answers. Called again after each reconnect. */
  onConnected?(): void;
  /** The stream is lost; it is tried again by itself. */
  onDisconnected?(reason: string): void;
}

/** @returns a function that ends it. */
export function followStream<Message>(
  openStream: () => ClientReadableStream<Message>,
  handlers: FollowHandlers<Message>,
): () => void {
  const backoff = new Backoff({ firstMs: 100, maxMs: 2000 });
  let cancel = () => {};
  let timer: NodeJS.Timeout | undefined;
  let ended = false;

  const open = () => {
    const stream = openStream();
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
    stream.on('data', (message: Message) => {
      if (!ended) handlers.onMessage(message);
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
