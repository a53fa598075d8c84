/** `singulate gpi` and `singulate gpo`: levels of the running reader's inputs and outputs. */
import { Line } from '../../contract/messages.js';
import { configError, SingulateError } from '../../shared/errors.js';
import type { GivenOptions, WantedLevel } from '../command-line.js';
import type { Output } from '../output.js';
import { lineText } from './line-text.js';
import { callError, runningReader } from './running-reader.js';

/**
 * Plays inputs, or sets outputs, and prints them; without `wanted` it prints all of them.
 * @throws CONFIG for a port that is not there, STATE for an input that is hardware: then nothing is
 * changed; UNAVAILABLE
 */
export async function lineLevels(
  which: 'gpi' | 'gpo',
  wanted: readonly WantedLevel[],
  options: GivenOptions,
  { stdout, stderr }: Output,
): Promise<void> {
  const { stateDir, radio } = await runningReader(options);
  const kind = which === 'gpi' ? Line.Kind.INPUT : Line.Kind.OUTPUT;
  try {
    const { lines, fault } = await radio.getLines();
    const own = (lines as Line[]).filter((line) => line.kind === kind);
    if (fault !== '') stderr.write(`singulate: ${fault}\n`);
    check(which, own, wanted);
    for (const { port, high } of wanted) {
      await (which === 'gpi' ? radio.setInput({ port, high }) : radio.setOutput({ port, high }));
      stdout.write(`${lineText({ kind, port, high })}\n`);
    }
    if (wanted.length > 0) return;
    for (const line of own) stdout.write(`${lineText(line)}\n`);
  } catch (error) {
    throw callError(error, stateDir);
  } finally {
    radio.close();
  }
}

function check(which: string, own: readonly Line[], wanted: readonly WantedLevel[]): void {
  const what = which === 'gpi' ? 'inputs' : 'outputs';
  const odd = wanted.find(({ port }) => !own.some((line) => line.port === port));
  if (odd !== undefined) {
    const allowed = own.length === 0 ? `the reader has no ${what}` : `allowed: 1..${own.length}`;
    throw configError(`${which}: port ${odd.port} given; ${allowed}`);
  }
  const real = which === 'gpi' && wanted.length > 0 && own.some(({ hardware }) => hardware);
  if (real) {
    throw new SingulateError(
      'STATE',
      "gpi: the inputs are lines of the reader's hardware (--gpio): they move by themselves",
    );
  }
}
