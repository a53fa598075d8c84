/** Frames of the Mercury protocol, as discovery and firmware load have them. */
import t from 'tap';
import { encodeCommand, ReplyReader } from '../../src/radio-control/serial/mercury-frame.js';
import { readVersion } from '../../src/radio-control/serial/probe.js';

const bytes = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex');

/** Replies of real modules. */
const HECTO = bytes(
  'ff 14 03 00 00 23 01 06 00 38 00 02 01 20 24 09 13 02 01 06 08 00 00 00 10 cb 65',
);
const M5E = bytes(
  'ff 14 04 00 00 07 10 23 00 01 00 00 03 20 14 10 07 01 07 02 09 00 00 00 10 52 51',
);
const NO_TAG = bytes('ff 00 21 04 00 b4 83');

t.test('commands are those of real hosts', async (t) => {
  const commands: [number, string, string][] = [
    [0x03, '', 'ff 00 03 1d 0c'],
    [0x04, '', 'ff 00 04 1d 0b'],
    [0x2f, '00 00 02', 'ff 03 2f 00 00 02 5e 86'],
    [0x06, '00 0e 10 00', 'ff 04 06 00 0e 10 00 87 8f'],
    [0x06, '00 01 c2 00', 'ff 04 06 00 01 c2 00 a4 60'],
    [
      0xaa,
      '4d 6f 64 75 6c 65 74 65 63 68 aa 49 f3 bb',
      'ff 0e aa 4d 6f 64 75 6c 65 74 65 63 68 aa 49 f3 bb 03 91',
    ],
  ];
  for (const [opcode, data, frame] of commands) {
    t.same(encodeCommand(opcode, bytes(data)), bytes(frame), frame);
  }
});

t.test('replies are found wherever the bytes are cut', async (t) => {
  const all = Buffer.concat([HECTO, NO_TAG, M5E]);
  for (let size = 1; size <= all.length; size++) {
    const reader = new ReplyReader();
    const replies = [];
    for (let at = 0; at < all.length; at += size) {
      replies.push(...reader.take(all.subarray(at, at + size)));
    }
    t.match(replies, [
      { opcode: 0x03, status: 0, data: HECTO.subarray(5, 25) },
      { opcode: 0x21, status: 0x0400 },
      { opcode: 0x04, status: 0 },
    ]);
    t.equal(replies.length, 3);
  }
});

t.test('what is no frame is passed over', async (t) => {
  const damaged = Buffer.from(HECTO);
  damaged[9] = 0x18;
  const noise = bytes('00 ff ff ff 10 ff f9 aa');
  const replies = new ReplyReader().take(Buffer.concat([noise, damaged, noise, NO_TAG, HECTO]));
  t.match(replies.at(-1), { opcode: 0x03, status: 0 });
  t.equal(replies.filter(({ opcode }) => opcode === 0x03).length, 1, 'the damaged one is none');
});

t.test('a version says which module it is', async (t) => {
  const [reply] = new ReplyReader().take(HECTO);
  t.match(readVersion(reply as NonNullable<typeof reply>, 115_200), {
    family: 'mercury',
    model: 'M7e Hecto',
    hardware: '38.00.02.01',
    firmware: '2.1.6.8',
    program: 'application',
  });
  t.equal(readVersion({ opcode: 3, status: 0x0101, data: HECTO }, 9600), undefined);
});
