/**
 * The file that servers which are killed leave behind. A kill in the middle of a write may cut a
 * record off, before its message was acknowledged: whole ones end with a mark, and each begins a
 * line of its own.
 */
import { readFileSync } from 'node:fs';

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
