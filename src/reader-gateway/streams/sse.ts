/** Events as server-sent events, for the EventSource of browsers. */
import type { HttpFormat } from './http-stream.js';
import type { EventRun } from './replay-buffer.js';

export const SSE: HttpFormat = {
  contentType: 'text/event-stream',
  run: (run) => framed(run),
  notice: (json, eventNum) => frame(eventNum, json),
  // Without an id: EventSource goes on after the last event when it connects again.
  last: (json) => `event: closed\ndata: ${json}\n\n`,
  keepAlive: ':\n\n',
};

/** Streams that keep up all want the same run: it is framed once for them. */
let latest: { run: EventRun; bytes: Buffer } | undefined;

function framed(run: EventRun): Buffer {
  if (latest !== undefined && isSame(latest.run, run)) return latest.bytes;
  // Latin-1 is only the quickest way there and back: bytes stay what they are.
  const lines = run.bytes.toString('latin1').split('\n');
  let text = '';
  for (let number = run.first; number <= run.last; number++) {
    text += frame(number, lines[number - run.first] as string);
  }
  const bytes = Buffer.from(text, 'latin1');
  latest = { run, bytes };
  return bytes;
}

function isSame(one: EventRun, other: EventRun): boolean {
  return (
    one.first === other.first &&
    one.last === other.last &&
    one.bytes.buffer === other.bytes.buffer &&
    one.bytes.byteOffset === other.bytes.byteOffset
  );
}

function frame(eventNum: number, json: string): string {
  return `id: ${eventNum}\ndata: ${json}\n\n`;
}
