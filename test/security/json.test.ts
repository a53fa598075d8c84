/** Bodies that are hostile JSON: refused or harmless, never an error of the reader, and nothing is polluted. */
import t from 'tap';
import { TestReader, until } from '../gateway/reader.js';
import { RawClient } from './raw.js';

const deep = (open: string, close: string, levels: number) =>
  `${open.repeat(levels)}${close.repeat(levels)}`;
const BODIES: Record<string, string> = {
  'a prototype':
    '{"__proto__": {"polluted": true}, "type": "SIMPLE", "name": "n", "description": ""}',
  'a constructor': '{"constructor": {"prototype": {"polluted": true}}}',
  'a prototype within': '{"READER-GATEWAY": {"__proto__": {"polluted": true}}}',
  'a prototype as a field of tags':
    '{"type": "SIMPLE", "tagMetaData": [{"__proto__": {"polluted": true}}]}',
  'arrays in arrays': deep('[', ']', 100_000),
  'objects in objects': `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`,
  'endless numbers': `{"transmitPower": 1e999, "type": "SIMPLE"}`,
  'a number of many digits': `{"type": "SIMPLE", "transmitPower": ${'9'.repeat(10_000)}}`,
  'the same key twice': '{"type": "SIMPLE", "type": "NONE"}',
  'no UTF-8': '{"type": "\xff\xfe\xc0\xaf"}',
  'UTF-16': '\xff\xfe{\0"\0t\0',
  'half a pair': '{"name": "\\ud800", "description": ""}',
  'a NUL': '{"name": "a\\u0000b", "description": ""}',
  nothing: '',
  null: 'null',
  'a text': '"SIMPLE"',
  'no JSON': '{type: SIMPLE}',
};

t.test('one reader', async (t) => {
  const reader = await TestReader.start(t);
  t.teardown(() => reader.gateway.stop());
  const { message: token } = (await reader.login()).json;
  for (const [name, body] of Object.entries(BODIES)) {
    t.test(name, async (t) => {
      for (const path of ['mode', 'config', 'nameAndDescription', 'apps/install', 'os']) {
        const client = await RawClient.open(t, reader);
        client.send(
          `PUT /cloud/${path} HTTP/1.1\r\nHost: r\r\nConnection: close\r\nAuthorization: Bearer ${token}\r\n` +
            `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
        );
        await until('the answer', () => client.closed || client.statuses.length > 0);
        const [status = 0] = client.statuses;
        t.ok(status >= 200 && status < 500, `${path}: ${status}`);
        t.equal(({} as { polluted?: boolean }).polluted, undefined, 'nothing is polluted');
      }
      t.equal((await reader.call('GET', 'status')).status, 200);
    });
  }
});
