/** Reads a radio packet log back: every frame is put together again from its fields. */
import { toBits, toHexFrame } from './bits.js';
import { decodeCommand, encodeCommand, type Fields } from './commands.js';
import type { PacketLine } from './lines.js';
import { decodeReply, encodeReply } from './replies.js';

export interface PacketLogReport {
  lines: number;
  /** Packets of the air by direction and name: "reader Query". */
  counts: Record<string, number>;
  /** Frames whose fields give the same bits, and whose bits give the same fields. */
  agreeing: number;
  /** Frames that hold a password: there is nothing to check. */
  withheld: number;
  /** Packets that the log says it has lost. */
  lost: number;
  /** What does not agree, each with its line; the first of them. */
  problems: string[];
  problemCount: number;
}

const SHOWN_PROBLEMS = 20;
const DIRECTIONS: readonly unknown[] = ['reader', 'tag', 'carrier', 'log'];

/** @param onLine Gets each line that is one. */
export async function checkPacketLog(
  texts: AsyncIterable<string>,
  onLine: (line: PacketLine) => void = () => {},
): Promise<PacketLogReport> {
  const report: PacketLogReport = {
    lines: 0,
    counts: {},
    agreeing: 0,
    withheld: 0,
    lost: 0,
    problems: [],
    problemCount: 0,
  };
  let command: string | undefined;
  for await (const text of texts) {
    report.lines++;
    const line = parseLine(text);
    if (line === undefined) {
      tell(report, 'is not a line of a packet log');
      continue;
    }
    if (line.direction === 'reader') command = line.name;
    else if (line.direction === 'log') command = undefined;
    checkLine(line, command, report);
    onLine(line);
  }
  return report;
}

function parseLine(text: string): PacketLine | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { direction, name, timeNs, fields, bits, hex } = value as Partial<PacketLine>;
  const right =
    DIRECTIONS.includes(direction) &&
    typeof name === 'string' &&
    /^\d+$/.test(String(timeNs)) &&
    (fields === undefined || (typeof fields === 'object' && fields !== null)) &&
    (hex === undefined || (/^([0-9a-f]{2})*$/.test(hex) && Number.isInteger(bits)));
  return right ? (value as PacketLine) : undefined;
}

function checkLine(line: PacketLine, command: string | undefined, report: PacketLogReport): void {
  const { direction, name, fields, bits, hex, withheld } = line;
  if (direction === 'log') {
    if (name === 'lost') report.lost += Number(fields?.packets ?? 0);
    return;
  }
  const key = `${direction} ${name}`;
  report.counts[key] = (report.counts[key] ?? 0) + 1;
  if (withheld !== undefined) {
    report.withheld++;
    return;
  }
  if (fields === undefined || hex === undefined || bits === undefined) return;
  const isCommand = direction === 'reader';
  const encoded = isCommand ? encodeCommand({ name, fields }) : encodeReply({ name, fields });
  const frame = toBits({ bits, hex });
  if (encoded !== frame) {
    const made = encoded === undefined ? 'nothing' : toHexFrame(encoded).hex;
    tell(report, `${key}: its fields give ${made}, the frame is ${hex}`);
    return;
  }
  const decoded = isCommand ? decodeCommand(frame) : decodeReply(frame, command);
  if (decoded?.name !== name || !sameFields(decoded.fields, fields)) {
    tell(report, `${key}: the frame ${hex} says ${JSON.stringify(decoded ?? 'nothing')}`);
    return;
  }
  report.agreeing++;
}

function sameFields(one: Fields, other: Fields): boolean {
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length && names.every((name) => one[name] === other[name])
  );
}

function tell(report: PacketLogReport, problem: string): void {
  report.problemCount++;
  if (report.problems.length < SHOWN_PROBLEMS) {
    report.problems.push(`line ${report.lines}: ${problem}`);
  }
}
