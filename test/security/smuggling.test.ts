/** Requests that two readers of HTTP could read in two ways are refused, and end the connection. */
import t from 'tap';
import { TestReader, until } from '../gateway/reader.js';
import { RawClient } from './raw.js';

/** Inside the first request, for a party that takes its length another way. */
const HIDDEN = 'GET /cloud/openapi.json HTTP/1.1\r\nHost: reader\r\n\r\n';

const CASES: Record<string, string> = {
  'a length and chunks': `PUT /cloud/mode HTTP/1.1\r\nHost: r\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${HIDDEN}`,
  'chunks and a length': `PUT /cloud/mode HTTP/1.1\r\nHost: r\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n${HIDDEN}`,
  'two lengths': `PUT /cloud/mode HTTP/1.1\r\nHost: r\r\nContent-Length: 2\r\nContent-Length: 9\r\n\r\n{}${HIDDEN}`,
  'a length with a sign': `PUT /cloud/mode HTTP/1.1\r\nHost: r\r\nContent-Length: +2\r\n\r\n{}${HIDDEN}`,
  'a space before the colon': `PUT /cloud/mode HTTP/1.1\r\nHost: r\r\nContent-Length : 2\r\n\r\n{}${HIDDEN}`,
  'two transfer encodings': `PUT /cloud/mode HTTP/1.1\r\nHost: r\r\nTransfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${HIDDEN}`,
  'an unknown transfer encoding': `PUT /cloud/mode HTTP/1.1\r\nHost: r\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${HIDDEN}`,
  'chunks that are not the last encoding': `PUT /cloud/mode HTTP/1.1\r\nHost: r\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${HIDDEN}`,
  'chunks with HTTP/1.0': `PUT /cloud/mode HTTP/1.0\r\nHost: r\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${HIDDEN}`,
  'a vertical tab in an encoding': `PUT /cloud/mode HTTP/1.1\r\nHost: r\r\nTransfer-Encoding:\x0bchunked\r\n\r\n0\r\n\r\n${HIDDEN}`,
  'a folded header': `GET /cloud/status HTTP/1.1\r\nHost: r\r\nX-A: b\r\n c\r\n\r\n${HIDDEN}`,
  'line feeds alone': `GET /cloud/status HTTP/1.1\nHost: r\n\n${HIDDEN}`,
  'one line feed alone': `GET /cloud/status HTTP/1.1\r\nHost: r\nX-A: b\r\n\r\n${HIDDEN}`,
  'a carriage return alone': `GET /cloud/status HTTP/1.1\r\nHost: r\rX-A: b\r\n\r\n${HIDDEN}`,
  'a zero byte': `GET /cloud/status HTTP/1.1\r\nHost: r\r\nX-A: b\0c\r\n\r\n${HIDDEN}`,
  'two hosts': `GET /cloud/openapi.json HTTP/1.1\r\nHost: r\r\nHost: s\r\n\r\n${HIDDEN}`,
  'no host': `GET /cloud/openapi.json HTTP/1.1\r\n\r\n${HIDDEN}`,
  'two hosts in an upgrade': `GET /ws HTTP/1.1\r\nHost: r\r\nHost: s\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n${HIDDEN}`,
};

t.test('one reader', async (t) => {
  const reader = await TestReader.start(t);
  t.teardown(() => reader.gateway.stop());

  for (const [name, bytes] of Object.entries(CASES)) {
    t.test(`refused: ${name}`, async (t) => {
      const client = await RawClient.open(t, reader);
      client.send(bytes);
      await until('the connection is closed', () => client.closed);
      t.same(client.statuses, [400], 'one answer, and nothing of what was hidden');
    });
  }

  t.test('chunks whose lines end wrongly are refused', async (t) => {
    const head = 'PUT /cloud/mode HTTP/1.1\r\nHost: r\r\nTransfer-Encoding: chunked\r\n\r\n';
    for (const chunks of ['2\n{}\r\n0\r\n\r\n', '2;x\n{}\r\n0\r\n\r\n', '-2\r\n{}\r\n0\r\n\r\n']) {
      const client = await RawClient.open(t, reader);
      client.send(`${head}${chunks}${HIDDEN}`);
      await until('the connection is closed', () => client.closed);
      t.notOk(client.statuses.includes(200), JSON.stringify(chunks));
    }
  });

  t.test('versions of HTTP that are not spoken are refused', async (t) => {
    for (const version of ['0.9', '2.0']) {
      const client = await RawClient.open(t, reader);
      client.send(`GET /cloud/openapi.json HTTP/${version}\r\nHost: r\r\n\r\n${HIDDEN}`);
      await until('the connection is closed', () => client.closed);
      t.same(client.statuses, [505], version);
      t.match(client.text, /"code":15/);
    }
  });

  t.test('requests after each other that are right are all answered', async (t) => {
    const client = await RawClient.open(t, reader);
    client.send(`${HIDDEN}${HIDDEN}`);
    await until('both answers', () => client.statuses.length === 2);
    t.same(client.statuses, [200, 200]);
  });
});
