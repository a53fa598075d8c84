/** `singulate packet-log FILE`: checks a radio packet log, and makes a recording of it. */
import { once } from 'node:events';
import { createReadStream, createWriteStream, statSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { finished } from 'node:stream/promises';
import { checkPacketLog, type PacketLogReport } from '../radio-control/packet-log/check.js';
import { RECORDING_HEADER, ReadsOfPackets } from '../radio-control/packet-log/recording.js';
import { configError, errorMessage } from '../shared/errors.js';
import type { Output } from './output.js';

/**
 * @param recording File to be written, which must not be there; undefined = none.
 * @returns 1 if something in the log does not agree.
 */
export async function packetLog(
  file: string,
  recording: string | undefined,
  { stdout }: Output,
): Promise<number> {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) throw configError(`${file}: no file`);
  const texts = createInterface({
    input: createReadStream(file),
    crlfDelay: Number.POSITIVE_INFINITY,
  });
  if (recording === undefined) {
    const report = await checkPacketLog(texts);
    stdout.write(reportText(report));
    return report.problemCount === 0 ? 0 : 1;
  }
  const out = createWriteStream(recording, { flags: 'wx' });
  try {
    await once(out, 'open');
  } catch (error) {
    throw configError(`--recording: ${errorMessage(error)}`);
  }
  out.write(`${RECORDING_HEADER}\n`);
  const reads = new ReadsOfPackets((line) => out.write(`${line}\n`));
  const report = await checkPacketLog(texts, (line) => reads.take(line));
  reads.finish();
  out.end();
  await finished(out);
  const leftOut = reads.leftOut > 0 ? `, ${reads.leftOut} truncated or empty EPCs left out` : '';
  stdout.write(`${reportText(report)}${recording}: ${reads.reads} reads${leftOut}\n`);
  return report.problemCount === 0 ? 0 : 1;
}

function reportText(report: PacketLogReport): string {
  const counts = Object.entries(report.counts).sort(([a], [b]) => (a < b ? -1 : 1));
  const more = report.problemCount - report.problems.length;
  return [
    ...counts.map(([name, count]) => `${String(count).padStart(9)}  ${name}`),
    `${report.lines} lines: ${report.agreeing} frames agree with their fields, ` +
      `${report.problemCount} do not, ${report.withheld} are withheld (passwords), ` +
      `${report.lost} packets lost`,
    ...report.problems,
    ...(more > 0 ? [`... and ${more} more`] : []),
    '',
  ].join('\n');
}
