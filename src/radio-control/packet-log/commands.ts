/**
 * The commands of the interrogator, field by field: one table that both takes frames apart and
 * puts them together. Written apart from the native core, so that each checks the other.
 */
import { BitCursor, crc5, crc16, ebv, hexOf, numberBits, toBits } from './bits.js';

/** Numbers as they are on the air; random numbers, masks and data as hex. */
export type Fields = Record<string, number | string>;

export interface Decoded {
  name: string;
  fields: Fields;
}

type Field =
  | { name: string; kind: 'number' | 'hex'; bits: number }
  | { name: string; kind: 'ebv' }
  /** As many units of so many bits as `count` says, as hex. */
  | { name: string; kind: 'list'; unit: number; count(fields: Fields): number };

interface Layout {
  name: string;
  code: string;
  fields: Field[];
  crc?: 5 | 16;
}

const number = (name: string, bits: number): Field => ({ name, kind: 'number', bits });
const word = (name: string): Field => ({ name, kind: 'hex', bits: 16 });
const pointer = (name: string): Field => ({ name, kind: 'ebv' });
const HANDLE = word('handle');
const BANK = number('bank', 2);

const access = (name: string, code: number, fields: Field[]): Layout => ({
  name,
  code: numberBits(code, code > 0xff ? 16 : 8),
  fields: [...fields, HANDLE],
  crc: 16,
});

const LAYOUTS: readonly Layout[] = [
  { name: 'QueryRep', code: '00', fields: [number('session', 2)] },
  { name: 'ACK', code: '01', fields: [word('rn16')] },
  {
    name: 'Query',
    code: '1000',
    fields: [
      number('divideRatio', 1),
      number('coding', 2),
      number('extendedPreamble', 1),
      number('sel', 2),
      number('session', 2),
      number('target', 1),
      number('q', 4),
    ],
    crc: 5,
  },
  { name: 'QueryAdjust', code: '1001', fields: [number('session', 2), number('upDown', 3)] },
  {
    name: 'Select',
    code: '1010',
    fields: [
      number('target', 3),
      number('action', 3),
      BANK,
      pointer('pointer'),
      number('length', 8),
      { name: 'mask', kind: 'list', unit: 1, count: ({ length }) => length as number },
      number('truncate', 1),
    ],
    crc: 16,
  },
  { name: 'NAK', code: '11000000', fields: [] },
  { name: 'Req_RN', code: numberBits(0xc1, 8), fields: [word('rn16')], crc: 16 },
  access('Read', 0xc2, [BANK, pointer('wordPointer'), number('wordCount', 8)]),
  access('Write', 0xc3, [BANK, pointer('wordPointer'), word('data')]),
  access('Kill', 0xc4, [word('password'), number('rfu', 3)]),
  access('Lock', 0xc5, [number('mask', 10), number('action', 10)]),
  access('Access', 0xc6, [word('password')]),
  access('BlockWrite', 0xc7, [
    BANK,
    pointer('wordPointer'),
    number('wordCount', 8),
    { name: 'data', kind: 'list', unit: 16, count: ({ wordCount }) => wordCount as number },
  ]),
  access('BlockErase', 0xc8, [BANK, pointer('wordPointer'), number('wordCount', 8)]),
  access('BlockPermalock', 0xc9, [
    number('rfu', 8),
    number('lock', 1),
    BANK,
    pointer('blockPointer'),
    number('blockRange', 8),
    {
      name: 'mask',
      kind: 'list',
      unit: 16,
      count: ({ lock, blockRange }) => (lock === 1 ? (blockRange as number) : 0),
    },
  ]),
  access('FileOpen', 0xd3, [number('rfu', 2), number('file', 10)]),
  access('Untraceable', 0xe200, [
    number('rfu', 2),
    number('untraceable', 1),
    number('hideEpc', 1),
    number('epcLength', 5),
    number('tid', 2),
    number('hideUser', 1),
    number('range', 2),
  ]),
];

/** @returns undefined for a frame that is no command: unknown code, wrong length or wrong CRC. */
export function decodeCommand(bits: string): Decoded | undefined {
  for (const layout of LAYOUTS) {
    if (!bits.startsWith(layout.code)) continue;
    const cursor = new BitCursor(bits.slice(layout.code.length));
    const fields: Fields = {};
    for (const field of layout.fields) fields[field.name] = take(cursor, field, fields);
    const end = layout.crc === undefined ? '' : cursor.take(layout.crc);
    if (cursor.broken || cursor.rest() !== '') continue;
    if (end === crc(layout, bits.slice(0, bits.length - end.length))) {
      return { name: layout.name, fields };
    }
  }
  return undefined;
}

/** @returns undefined for a name that is no command, or fields that are not all there. */
export function encodeCommand({ name, fields }: Decoded): string | undefined {
  const layout = LAYOUTS.find((one) => one.name === name);
  if (layout === undefined) return undefined;
  let bits = layout.code;
  for (const field of layout.fields) {
    const value = fields[field.name];
    if (value === undefined) return undefined;
    bits += put(field, value, fields);
  }
  return bits + crc(layout, bits);
}

function take(cursor: BitCursor, field: Field, before: Fields): number | string {
  switch (field.kind) {
    case 'number':
      return cursor.number(field.bits);
    case 'hex':
      return hexOf(cursor.take(field.bits));
    case 'ebv':
      return cursor.ebv();
    case 'list':
      return hexOf(cursor.take(field.count(before) * field.unit));
  }
}

function put(field: Field, value: number | string, fields: Fields): string {
  switch (field.kind) {
    case 'number':
      return numberBits(Number(value), field.bits);
    case 'hex':
      return toBits({ bits: field.bits, hex: String(value) });
    case 'ebv':
      return ebv(Number(value));
    case 'list':
      return toBits({ bits: field.count(fields) * field.unit, hex: String(value) });
  }
}

function crc(layout: Layout, bits: string): string {
  if (layout.crc === undefined) return '';
  return layout.crc === 5 ? crc5(bits) : crc16(bits);
}
