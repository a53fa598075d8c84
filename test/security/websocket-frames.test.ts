/** Frames that no WebSocket client sends: the connection ends, with the code that the protocol has for it. */
import t from 'tap';
import { TestReader, until } from '../gateway/reader.js';
import { RawClient } from './raw.js';

/** Header bytes (masked, with a mask of zeros, as clients must) and content. */
const frame = (first: number, content: string) =>
  String.fromCharCode(first, 0x80 | content.length, 0, 0, 0, 0) + content;

const FRAMES: Record<string, [bytes: string, code: number]> = {
  'without a mask': ['\x81\x01a', 1002],
  'a reserved bit': [frame(0xc1, 'a'), 1002],
  'an unknown kind': [frame(0x83, 'a'), 1002],
  'an unknown control': [frame(0x8b, ''), 1002],
  'a length of 2^62': [`\x82\xff\x40${'\0'.repeat(7)}\0\0\0\0`, 1009],
  'a long ping': [`\x89\xfe\x00\x7e\0\0\0\0${'a'.repeat(126)}`, 1002],
  'a ping in parts': [frame(0x09, 'a'), 1002],
  'a part without a beginning': [frame(0x80, 'a'), 1002],
  'a text that is no UTF-8': [frame(0x81, '\xc0\xaf'), 1007],
  'a close of one byte': [frame(0x88, 'a'), 1002],
  'a close with a forbidden code': [frame(0x88, '\x03\xed'), 1002],
};

t.test('one reader', async (t) => {
  const reader = await TestReader.start(t);
  t.teardown(() => reader.gateway.stop());
  const { message: token } = (await reader.login()).json;
  for (const [name, [bytes, code]] of Object.entries(FRAMES)) {
    t.test(name, async (t) => {
      const client = await RawClient.open(t, reader);
      client.send(
        'GET /ws HTTP/1.1\r\nHost: r\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
          `Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nAuthorization: Bearer ${token}\r\n\r\n`,
      );
      await until(
        'the upgrade',
        () => client.statuses[0] === 101 && client.text.includes('\r\n\r\n'),
      );
      const begin = client.text.length;
      client.send(bytes);
      await until('the end', () => client.closed);
      const at = client.text.indexOf('\x88', begin);
      t.ok(at >= begin, 'a frame that closes');
      t.equal(client.text.charCodeAt(at + 2) * 256 + client.text.charCodeAt(at + 3), code);
    });
  }
  t.test('others are served', async (t) => {
    t.equal((await reader.call('GET', 'status')).status, 200);
    await until('no stream is left', () => reader.gateway.streams.counters.open === 0);
  });
});
