/** Which module is on a serial line, and at which baud rate: asked as a host does, nothing is changed. */
import {
  encodeCommand,
  OPCODE,
  type Reply,
  ReplyReader,
  STATUS,
  STREAM_STOP,
} from './mercury-frame.js';
import { SerialLine } from './serial-port.js';

export interface FoundModule {
  family: 'mercury' | 'nur' | 'm100';
  /** '' if the family does not tell. */
  model: string;
  /** Of the hardware, four numbers. */
  hardware: string;
  firmware: string;
  bootloader: string;
  baud: number;
  /** What runs in it; a module in its bootloader is started when it is used. */
  program: 'application' | 'bootloader' | '';
  /** --radio takes it. */
  supported: boolean;
}

/** In the order in which hosts look: the usual ones first. */
export const PROBE_RATES = [
  115_200, 9600, 921_600, 19_200, 38_400, 57_600, 230_400, 460_800, 1_000_000,
] as const;

const ANSWER_MS = 100;
const QUIET_MS = 20;
const LONGEST_STREAM_MS = 1000;
const VERSION_BYTES = 20;
/** The stop of reading of the Silion dialect. */
const SILION_STOP = Buffer.from('4d6f64756c6574656368aa49f3bb', 'hex');

/** @throws Error if the line cannot be opened, or is gone. @returns undefined: nobody answers. */
export async function probeLine(path: string): Promise<FoundModule | undefined> {
  const line = await SerialLine.open(path, PROBE_RATES[0]);
  try {
    // Twice, as hosts do: on a busy machine an answer may be late.
    for (const _ of [1, 2]) {
      const found = await probeAllRates(line);
      if (found !== undefined) return found;
    }
    return undefined;
  } finally {
    await line.close();
  }
}

async function probeAllRates(line: SerialLine): Promise<FoundModule | undefined> {
  for (const baud of PROBE_RATES) {
    await line.setBaudRate(baud);
    const found = await probeMercury(line, baud);
    if (found !== undefined) return found;
    if (baud !== PROBE_RATES[0]) continue;
    const other = (await probeNur(line, baud)) ?? (await probeM100(line, baud));
    if (other !== undefined) return other;
  }
  return undefined;
}

/** @returns undefined: no answer in time. */
export function askMercury(
  line: SerialLine,
  opcode: number,
  data: Uint8Array,
  timeoutMs: number,
): Promise<Reply | undefined> {
  const reader = new ReplyReader();
  return line.ask(encodeCommand(opcode, data), timeoutMs, (bytes) =>
    reader.take(bytes).find((reply) => reply.opcode === opcode),
  );
}

async function probeMercury(line: SerialLine, baud: number): Promise<FoundModule | undefined> {
  // It may still read for a host that is gone, and what it reads would drown its version.
  const stopped = await askMercury(line, OPCODE.continuous, STREAM_STOP, ANSWER_MS);
  if (stopped?.status !== STATUS.success) {
    await askMercury(line, OPCODE.silion, SILION_STOP, ANSWER_MS);
  }
  await line.untilQuiet(QUIET_MS, LONGEST_STREAM_MS);
  const version = await askMercury(line, OPCODE.version, new Uint8Array(), ANSWER_MS);
  return version === undefined ? undefined : readVersion(version, baud);
}

/** @returns undefined if it is no version. */
export function readVersion({ status, data }: Reply, baud: number): FoundModule | undefined {
  if (status !== STATUS.success || data.length < VERSION_BYTES) return undefined;
  const numbers = (from: number) => [...data.subarray(from, from + 4)];
  const hardware = numbers(4);
  return {
    family: 'mercury',
    model: mercuryModel(hardware),
    hardware: hardware.map((byte) => byte.toString(16).padStart(2, '0')).join('.'),
    firmware: numbers(12).join('.'),
    bootloader: data.subarray(0, 4).toString('hex'),
    baud,
    // It knows protocols only while its application runs.
    program: data.readUInt32BE(16) === 0 ? 'bootloader' : 'application',
    supported: true,
  };
}

const M7E_VARIANTS = ['Pico', 'Deka', 'Hecto', 'Mega', 'Tera'];

function mercuryModel([model, , variant]: readonly number[]): string {
  switch (model) {
    case 0x38:
      return `M7e ${M7E_VARIANTS[variant as number] ?? ''}`.trim();
    case 0xa8:
      return 'Silion';
    case 0x18:
      return 'M6e';
    case 0x19:
      return 'M6e-I';
    case 0x20:
      return 'M6e Micro';
    case 0x30:
      return 'M6e Nano';
    default:
      return 'unknown';
  }
}

/** Families without a driver are named all the same: their owner shall know what was found. */
function other(family: 'nur' | 'm100', baud: number): FoundModule {
  const unknown = { model: '', hardware: '', firmware: '', bootloader: '', program: '' } as const;
  return { family, ...unknown, baud, supported: false };
}

async function probeNur(line: SerialLine, baud: number): Promise<FoundModule | undefined> {
  const ping = Buffer.from('a5030000005901d1f1', 'hex');
  // Start, length, flags, and the XOR of these five bytes.
  const isNur = await line.ask(ping, ANSWER_MS, startsWith(0xa5, 6, nurHeaderFits));
  return isNur === undefined ? undefined : other('nur', baud);
}

function nurHeaderFits(head: Buffer): boolean {
  return head.subarray(0, 5).reduce((sum, byte) => sum ^ byte, 0xff) === head[5];
}

async function probeM100(line: SerialLine, baud: number): Promise<FoundModule | undefined> {
  const information = Buffer.from('bb0003000100047e', 'hex');
  const isM100 = await line.ask(
    information,
    ANSWER_MS,
    startsWith(0xbb, 3, (head) => head[1] === 0x01 && head[2] === 0x03),
  );
  return isM100 === undefined ? undefined : other('m100', baud);
}

/** Collects until the first bytes from a start byte on are there; true if they fit. */
function startsWith(start: number, length: number, fits: (head: Buffer) => boolean) {
  let all: Buffer = Buffer.alloc(0);
  return (bytes: Buffer): true | undefined => {
    all = Buffer.concat([all, bytes]).subarray(0, 1024);
    const from = all.indexOf(start);
    if (from < 0 || all.length < from + length) return undefined;
    return fits(all.subarray(from, from + length)) ? true : undefined;
  };
}
