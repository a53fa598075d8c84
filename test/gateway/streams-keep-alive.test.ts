/** Streams without events live visibly, and clients that are gone are noticed. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import t, { type Test } from 'tap';
import { WebSocket } from 'ws';
import { Admission } from '../../src/reader-gateway/auth/admission.js';
import { Tokens } from '../../src/reader-gateway/auth/tokens.js';
import { EventStreams } from '../../src/reader-gateway/streams/event-streams.js';
import { eventsHandler } from '../../src/reader-gateway/streams/http-stream.js';
import { WebSocketDoor } from '../../src/reader-gateway/streams/websocket-door.js';
import { createLogger } from '../../src/shared/log.js';
import { until } from './reader.js';

/** The streams with short times, and without TLS. */
async function shortTimes(t: Test) {
  const streams = new EventStreams({ keepAliveMs: 20 });
  const tokens = new Tokens(Buffer.alloc(32).toString('base64'));
  const log = createLogger('reader_gateway', { fd: 2, level: 'silent' });
  const door = new WebSocketDoor(streams, new Admission(tokens), log, { pingMs: 40 });
  const server = createServer(new Koa().use(eventsHandler(streams, tokens)).callback());
  door.attach(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(async () => {
    await Promise.all([streams.stop(), door.stop()]);
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { streams, door, url: `127.0.0.1:${port}`, token: await tokens.issue() };
}

t.test('NDJSON has empty lines, SSE comments', async (t) => {
  const { streams, url } = await shortTimes(t);
  for (const [accept, expected] of [
    ['application/x-ndjson', /^\n\n\n/],
    ['text/event-stream', /^:\n\n:\n\n:\n\n/],
  ] as const) {
    const leave = new AbortController();
    const { body } = await fetch(`http://${url}/`, { headers: { accept }, signal: leave.signal });
    let text = '';
    for await (const part of body as unknown as AsyncIterable<Uint8Array>) {
      text += Buffer.from(part).toString();
      if (text.length >= 12) break;
    }
    leave.abort();
    t.match(text, expected);
  }
  await until('all are gone', () => streams.counters.open === 0);
});

t.test('a WebSocket that answers pings stays, one that does not is ended', async (t) => {
  const { streams, door, url, token } = await shortTimes(t);
  const address = `ws://${url}/ws?access_token=${token}`;
  const open = (autoPong: boolean) => {
    const socket = new WebSocket(address, { autoPong });
    const client = { socket, pings: 0, code: 0 };
    t.teardown(() => socket.terminate());
    socket.on('ping', () => {
      client.pings++;
    });
    socket.on('close', (code) => {
      client.code = code;
    });
    return client;
  };
  const alive = open(true);
  const dead = open(false);
  await until('the dead one is ended', () => dead.code !== 0);
  t.equal(dead.code, 1006, 'without a close frame');
  await until('the other one was asked often', () => alive.pings > 4);
  t.equal(alive.socket.readyState, WebSocket.OPEN);
  await until('one is left', () => streams.counters.open === 1);

  door.taker = () => {};
  const taken = open(false);
  await until('clients of an endpoint are asked as well', () => taken.code !== 0);
});
