/** The replies of tags. A reply does not say what it is: the command before it does. */
import { BitCursor, crc16, hexOf, numberBits, toBits } from './bits.js';
import type { Decoded } from './commands.js';

const XI = 0x0200;
const XEB = 0x8000;
const TRUNCATED = '00000';
const INVENTORY: readonly string[] = ['Query', 'QueryRep', 'QueryAdjust'];

/** @returns undefined for a frame that no tag would send there. */
export function decodeReply(bits: string, command: string | undefined): Decoded | undefined {
  if (command === undefined) return undefined;
  if (INVENTORY.includes(command)) {
    return bits.length === 16 ? { name: 'RN16', fields: { rn16: hexOf(bits) } } : undefined;
  }
  if (command === 'ACK') return epcReply(bits) ?? truncatedReply(bits);
  return isWhole(bits) ? accessReply(bits) : undefined;
}

/** @returns undefined for a name that is no reply, or fields that are not all there. */
export function encodeReply({ name, fields }: Decoded): string | undefined {
  const bitsOf = (...names: string[]) => {
    const values = names.map((one) => fields[one]);
    if (values.some((value) => typeof value !== 'string')) return undefined;
    return values.map((hex) => toBits({ bits: String(hex).length * 4, hex: String(hex) })).join('');
  };
  switch (name) {
    case 'RN16':
      return bitsOf('rn16');
    case 'EPC':
      return withCrc(bitsOf('pc', ...(fields.xpc === undefined ? [] : ['xpc']), 'epc'));
    case 'TruncatedEPC': {
      const [epc, crc] = [bitsOf('epc'), bitsOf('crc')];
      if (epc === undefined || crc === undefined) return undefined;
      return `${TRUNCATED}${epc.slice(0, Number(fields.length))}${crc}`;
    }
    case 'Handle':
      return withCrc(bitsOf('handle'));
    case 'Done': {
      const bits = bitsOf('words', 'handle');
      return bits === undefined ? undefined : withCrc(`0${bits}`);
    }
    case 'Error': {
      const bits = bitsOf('handle');
      if (bits === undefined || fields.error === undefined) return undefined;
      return withCrc(`1${numberBits(Number(fields.error), 8)}${bits}`);
    }
    default:
      return undefined;
  }
}

function isWhole(bits: string): boolean {
  return bits.length > 16 && bits.endsWith(crc16(bits.slice(0, -16)));
}

function withCrc(bits: string | undefined): string | undefined {
  return bits === undefined ? undefined : bits + crc16(bits);
}

/** PC, XPC words if XI says so, as much EPC as L says, and CRC. */
function epcReply(bits: string): Decoded | undefined {
  if (bits.length < 32 || !isWhole(bits)) return undefined;
  const cursor = new BitCursor(bits);
  const pc = cursor.take(16);
  let xpc = '';
  if ((Number.parseInt(pc, 2) & XI) !== 0) {
    xpc = cursor.take(16);
    if ((Number.parseInt(xpc, 2) & XEB) !== 0) xpc += cursor.take(16);
  }
  const epc = cursor.take(Number.parseInt(pc.slice(0, 5), 2) * 16);
  const crc = cursor.take(16);
  if (cursor.broken || cursor.rest() !== '') return undefined;
  const fields = { pc: hexOf(pc), ...(xpc === '' ? {} : { xpc: hexOf(xpc) }) };
  return { name: 'EPC', fields: { ...fields, epc: hexOf(epc), crc: hexOf(crc) } };
}

/** Five zeros, the EPC after the mask of a Select, and the CRC that the tag has stored. */
function truncatedReply(bits: string): Decoded | undefined {
  if (!bits.startsWith(TRUNCATED) || bits.length < TRUNCATED.length + 16) return undefined;
  const epc = bits.slice(TRUNCATED.length, -16);
  const crc = hexOf(bits.slice(-16));
  return { name: 'TruncatedEPC', fields: { length: epc.length, epc: hexOf(epc), crc } };
}

function accessReply(bits: string): Decoded | undefined {
  if (bits.length === 32) return { name: 'Handle', fields: { handle: hexOf(bits.slice(0, 16)) } };
  const handle = hexOf(bits.slice(-32, -16));
  if (bits.startsWith('1')) {
    if (bits.length !== 41) return undefined;
    return { name: 'Error', fields: { error: Number.parseInt(bits.slice(1, 9), 2), handle } };
  }
  if (bits.length < 33 || (bits.length - 33) % 16 !== 0) return undefined;
  return { name: 'Done', fields: { words: hexOf(bits.slice(1, -32)), handle } };
}
