/** Whole lines out of the chunks of a stream. */
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

/** A line longer than this is cut into pieces: nothing that a child prints fills the memory. */
const MAX_LINE = 65_536;

/** @param onLine Gets each line without its end; the last one too if it has no end. */
export function splitLines(stream: Readable, onLine: (line: string) => void): void {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  stream.on('data', (chunk: Buffer) => {
    const lines = (rest + decoder.write(chunk)).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line.replace(/\r$/, ''));
    if (rest.length > MAX_LINE) {
      onLine(rest);
      rest = '';
    }
  });
  stream.on('end', () => {
    if (rest !== '') onLine(rest);
    rest = '';
  });
  // A pipe that breaks ends with the child that held it.
  stream.on('error', () => {});
}
