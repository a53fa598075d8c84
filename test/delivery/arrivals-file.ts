/**
 * The file that servers which are killed leave behind. A kill in the middle of a write may cut a
 * record off, before its message was acknowledged: whole ones end with a mark, and each begins a
 * line of its own.
 */
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';

/** No event has it. */
const END = '\tend';

export function recordOf(channel: string, text: string): string {
  return `\n${channel} ${text}${END}\n`;
}

/** Messages of a channel, oldest first. */
export function messagesIn(file: string, channel: string): string[] {
  const head = `${channel} `;
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith(head) && line.endsWith(END))
    .map((line) => line.slice(head.length, -END.length));
}

/** Reads on in a file that grows. */
export class ArrivalsReader {
  readonly #fd: number;
  readonly #buffer = Buffer.alloc(1 << 20);
  #at = 0;
  #rest = '';

  constructor(file: string) {
    this.#fd = openSync(file, 'a+');
  }

  /** What was added since the last time, oldest first. */
  *read(): Generator<{ channel: string; text: string }> {
    for (;;) {
      const bytes = readSync(this.#fd, this.#buffer, 0, this.#buffer.length, this.#at);
      if (bytes === 0) return;
      this.#at += bytes;
      // Events are ASCII: no character is cut.
      const lines = (this.#rest + this.#buffer.toString('latin1', 0, bytes)).split('\n');
      this.#rest = lines.pop() ?? '';
      for (const line of lines) {
        const end = line.indexOf(' ');
        if (!line.endsWith(END) || end < 0) continue;
        yield { channel: line.slice(0, end), text: line.slice(end + 1, -END.length) };
      }
    }
  }

  close(): void {
    closeSync(this.#fd);
  }
}
