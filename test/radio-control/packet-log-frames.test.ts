/** The packet log takes frames apart as the native core does, and tells no password. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import * as fc from 'fast-check';
import t from 'tap';
import { type AirPacket, loadAddon } from '../../src/radio-control/addon/addon.js';
import { toBits, toHexFrame } from '../../src/radio-control/packet-log/bits.js';
import { checkPacketLog } from '../../src/radio-control/packet-log/check.js';
import { decodeCommand, encodeCommand } from '../../src/radio-control/packet-log/commands.js';
import {
  lineText,
  type PacketLine,
  PacketLines,
} from '../../src/radio-control/packet-log/lines.js';
import { decodeReply, encodeReply } from '../../src/radio-control/packet-log/replies.js';
import { compilePlan } from '../../src/radio-control/plan/compile-plan.js';
import { RECORD_BYTES } from '../../src/radio-control/record.js';
import { options, runMode, tagsOf } from '../modes/on-air.js';

const ONE = { type: 'CUSTOM', antennas: [1], query: { session: 'S2', tagPopulation: 20 } };

function linesOf(packets: readonly AirPacket[]): PacketLine[] {
  const lines = new PacketLines();
  return packets.map((packet) => lines.toLine(packet));
}

async function* texts(lines: readonly object[]): AsyncGenerator<string> {
  for (const line of lines) yield lineText(line).trimEnd();
}

/** Access to ten tags with passwords, with everything that is on the air for it. */
const accessed = () =>
  runMode(
    {
      ...ONE,
      antennaStopCondition: { type: 'DURATION', value: 20_000 },
      radioStopConditions: { tagCount: 10 },
      accesses: [
        { type: 'ACCESS', config: { password: 'c0ffee11' } },
        { type: 'READ', config: { membank: 'USER', wordPointer: 1, wordCounter: 2 } },
        { type: 'READ', config: { membank: 'RESERVED', wordPointer: 2, wordCounter: 2 } },
        { type: 'READ', config: { membank: 'TID', wordPointer: 200, wordCounter: 2 } },
        { type: 'WRITE', config: { membank: 'USER', wordPointer: 0, data: 'cafe0123' } },
        { type: 'WRITE', config: { membank: 'RESERVED', wordPointer: 0, data: 'deadbeef' } },
        { type: 'LOCK', config: { actions: ['WRITE_LOCK_USER_BANK'] } },
      ],
    },
    { tags: tagsOf(10, { accessPassword: 0xc0ffee11 }) },
  );

t.test(
  'commands on the air: the same as the native core says, and back to the same bits',
  async (t) => {
    const { packets } = await accessed();
    const lines = linesOf(packets);
    const seen = new Set<string>();
    const shared = [
      'session',
      'target',
      'sel',
      'q',
      'coding',
      'bank',
      'wordPointer',
      'wordCount',
    ] as const;
    const wrong: unknown[] = [];
    packets.forEach((packet, i) => {
      const line = lines[i] as PacketLine;
      if (packet.kind !== 'command') return;
      seen.add(line.name);
      const differs = shared.some(
        (name) => packet[name] !== undefined && packet[name] !== line.fields?.[name],
      );
      if (line.name !== packet.command || differs) wrong.push({ packet, line });
    });
    t.same(wrong, []);
    for (const name of ['Query', 'QueryRep', 'ACK', 'Req_RN', 'Read', 'Write', 'Lock', 'Access']) {
      t.ok(seen.has(name), name);
    }
    const report = await checkPacketLog(texts(lines));
    t.same(report.problems, []);
    t.equal(report.lines, packets.length);
    const replies = ['tag RN16', 'tag EPC', 'tag Handle', 'tag Done', 'tag Error', 'carrier on'];
    for (const name of replies) t.ok((report.counts[name] ?? 0) >= 1, name);
    t.equal(report.counts['reader unknown'], undefined);
    t.equal(report.counts['tag unknown'], undefined);
    t.equal(report.counts['tag EPC'], 10);
  },
);

t.test('a log that begins under a carrier that never goes off knows its antenna', async (t) => {
  const { Radio } = loadAddon();
  const radio = new Radio(options({ ports: [1], field: { paced: true } }));
  t.teardown(() => radio.stop());
  const { native } = compilePlan(
    { antennas: [{ port: 1, dwell: { durationMs: 60_000 } }] },
    radio.capabilities(),
  );
  const buffer = Buffer.alloc(1024 * RECORD_BYTES);
  const until = async (check: () => boolean) => {
    for (const end = Date.now() + 8000; !check() && Date.now() < end; await sleep(5)) {
      while (radio.drain(buffer) > 0);
    }
  };
  radio.start(native, () => {});
  await until(() => radio.status().rounds > 2);
  t.same(radio.packets(), { packets: [], lost: 0 }, 'nothing is kept unasked');
  radio.logPackets(10_000);
  const packets: AirPacket[] = [];
  await until(() => {
    packets.push(...radio.packets().packets);
    return packets.length > 20;
  });
  t.notOk(packets.some(({ kind }) => kind === 'carrierOn'));
  t.ok(packets.length > 20);
  const strange = packets.filter(
    ({ antenna, frequencyKhz }) => antenna !== 1 || frequencyKhz !== 915_250,
  );
  t.same(strange, []);
  t.equal(packets[0]?.command, 'Query', 'it begins with a round');
  radio.logPackets(0);
  const { rounds } = radio.status();
  await until(() => radio.status().rounds > rounds + 1);
  t.same(radio.packets(), { packets: [], lost: 0 }, 'nothing is kept after the end');
});

t.test('no password of a tag is in the log, covered or not', async (t) => {
  const lines = linesOf((await accessed()).packets);
  const secret = lines.filter(({ withheld }) => withheld !== undefined);
  const counts = (name: string) => secret.filter((line) => line.name === name).length;
  // Two halves of the access password, two words of the kill password, one reply, for each tag.
  t.equal(counts('Access'), 20);
  t.equal(counts('Write'), 20);
  t.equal(counts('Done'), 10);
  for (const line of secret) {
    t.equal(line.hex, undefined);
    for (const name of line.withheld ?? []) t.notOk(name in (line.fields ?? {}), name);
  }
  const others = lines.filter(({ withheld }) => withheld === undefined);
  t.notOk(others.some(({ name }) => name === 'Access'));
  t.notMatch(lines.map(lineText).join(''), /c0ffee11/);
  t.equal(
    lines.filter(({ name, withheld }) => name === 'Write' && !withheld).length,
    20,
    'of USER',
  );
});

t.test('a log that was changed does not agree', async (t) => {
  const lines = linesOf((await accessed()).packets);
  const at = (name: string) => lines.findIndex((line) => line.name === name && line.hex);
  const changed: object[] = structuredClone(lines);
  const query = changed[at('Query')] as PacketLine;
  query.fields = { ...query.fields, q: 15 - Number(query.fields?.q) };
  const epc = changed[at('EPC')] as PacketLine;
  epc.hex = `ff${epc.hex?.slice(2)}`;
  const lock = changed[at('Lock')] as PacketLine;
  lock.name = 'Read';
  changed.push({ timeNs: 'now' });
  const report = await checkPacketLog(texts(changed));
  t.equal(report.problemCount, 4);
  t.match(
    report.problems[0],
    new RegExp(`^line ${at('Query') + 1}: reader Query: its fields give`),
  );
  t.match(report.problems[3], /is not a line of a packet log/);
});

const number = (max: number) => fc.integer({ min: 0, max });
const hex = (digits: number) =>
  fc
    .array(fc.constantFrom(...'0123456789abcdef'), { minLength: digits, maxLength: digits })
    .map((all) => all.join(''));
const word = hex(4);
const words = number(20).chain((count) => hex(count * 4).map((data) => ({ count, data })));
const handle = { handle: word };
const address = number(2 ** 32 - 1);
const command = (name: string, fields: Record<string, fc.Arbitrary<number | string>>) =>
  fc.record(fields).map((values) => ({ name, fields: values }));
const list = (
  name: string,
  make: (count: number, data: string) => Record<string, number | string>,
) =>
  fc.tuple(words, number(3), address, word).map(([{ count, data }, bank, pointer, end]) => {
    const fields = make(count, data);
    const key = name === 'BlockWrite' ? 'wordPointer' : 'blockPointer';
    return { name, fields: { bank, [key]: pointer, ...fields, handle: end } };
  });

/** Every command, with any value of its fields. */
const anyCommand = fc.oneof(
  command('Query', {
    divideRatio: number(1),
    coding: number(3),
    extendedPreamble: number(1),
    sel: number(3),
    session: number(3),
    target: number(1),
    q: number(15),
  }),
  command('QueryRep', { session: number(3) }),
  command('QueryAdjust', { session: number(3), upDown: number(7) }),
  command('ACK', { rn16: word }),
  command('NAK', {}),
  number(255)
    .chain((length) => fc.tuple(fc.constant(length), hex(Math.ceil(length / 4)), address))
    .map(([length, digits, pointer]) => {
      // Nothing after the last bit of the mask.
      const mask = toHexFrame(toBits({ bits: length, hex: digits })).hex.slice(0, digits.length);
      const fields = { target: 4, action: 1, bank: 1, pointer, length, mask, truncate: 0 };
      return { name: 'Select', fields };
    }),
  command('Req_RN', { rn16: word }),
  command('Read', { bank: number(3), wordPointer: address, wordCount: number(255), ...handle }),
  command('Write', { bank: number(3), wordPointer: address, data: word, ...handle }),
  command('Kill', { password: word, rfu: number(7), ...handle }),
  command('Lock', { mask: number(1023), action: number(1023), ...handle }),
  command('Access', { password: word, ...handle }),
  list('BlockWrite', (wordCount, data) => ({ wordCount, data })),
  command('BlockErase', {
    bank: number(3),
    wordPointer: address,
    wordCount: number(255),
    ...handle,
  }),
  list('BlockPermalock', (blockRange, mask) => ({ rfu: 0, lock: 1, blockRange, mask })),
  command('FileOpen', { rfu: fc.constant(0), file: number(1023), ...handle }),
  command('Untraceable', {
    rfu: fc.constant(0),
    untraceable: number(1),
    hideEpc: number(1),
    epcLength: number(31),
    tid: number(3),
    hideUser: number(1),
    range: number(3),
    ...handle,
  }),
);

t.test('every command comes back from its bits, and one wrong bit of a CRC is seen', (t) => {
  const property = fc.property(anyCommand, number(4), (sent, place) => {
    const bits = encodeCommand(sent) as string;
    assert.equal(toBits(toHexFrame(bits)), bits);
    assert.deepEqual({ ...decodeCommand(bits)?.fields }, { ...sent.fields });
    assert.equal(decodeCommand(bits)?.name, sent.name);
    if (!/^(QueryRep|QueryAdjust|ACK|NAK)$/.test(sent.name)) {
      const at = bits.length - 1 - place;
      const wrong = bits.slice(0, at) + (bits[at] === '0' ? '1' : '0') + bits.slice(at + 1);
      assert.notEqual(decodeCommand(wrong)?.name, sent.name);
    }
  });
  t.doesNotThrow(() => fc.assert(property, { numRuns: 500 }));
  t.end();
});

t.test('replies come back from their bits; a frame that none would send is none', (t) => {
  const replies = [
    { after: 'QueryRep', name: 'RN16', fields: { rn16: 'beef' } },
    { after: 'ACK', name: 'TruncatedEPC', fields: { length: 13, epc: 'abc8', crc: '1234' } },
    { after: 'ACK', name: 'TruncatedEPC', fields: { length: 0, epc: '', crc: '1234' } },
    { after: 'Req_RN', name: 'Handle', fields: { handle: '1234' } },
    { after: 'Read', name: 'Done', fields: { words: '0011223344556677', handle: '1234' } },
    { after: 'Write', name: 'Done', fields: { words: '', handle: '1234' } },
    { after: 'Read', name: 'Error', fields: { error: 4, handle: '1234' } },
  ];
  for (const { after, name, fields } of replies) {
    const bits = encodeReply({ name, fields }) as string;
    t.same(decodeReply(bits, after), { name, fields });
    t.equal(decodeReply(bits, undefined), undefined, 'without a command nothing is known');
  }
  // PC with six words, XPC_W1; the CRC is made here, so decoded fields have one more.
  const epc = { pc: '3200', xpc: '0100', epc: '00112233445566778899aabb' };
  const bits = encodeReply({ name: 'EPC', fields: epc }) as string;
  t.match(decodeReply(bits, 'ACK'), { name: 'EPC', fields: epc });
  t.equal(decodeReply(`${bits.slice(0, -1)}${bits.endsWith('1') ? 0 : 1}`, 'ACK'), undefined);
  t.equal(decodeReply('1010', 'Query'), undefined);
  t.end();
});
