/** Handshakes of strangers have a share of the event loop; known clients do not wait for them. */
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { doorCounts } from '../../src/shared/arrivals/door-counts.js';
import { TestReader, until } from '../gateway/reader.js';
import { clientHello } from './client-hello.js';

/** Begun at once after a rest, and each second, at the most: 2 ms of a share of 20 % are counted for each. */
const AT_ONCE = 50;
const PER_SECOND = 100;
/** Below what strangers may have open before the end of their handshake. */
const CONNECTIONS = 90;

/** A reader, and connections to it that write these bytes. */
async function flooded(t: Test) {
  const reader = await TestReader.start(t);
  t.teardown(() => reader.gateway.stop());
  t.equal((await reader.call('GET', 'version')).status, 200, 'it is known from now on');
  const port = Number(new URL(reader.gateway.restUrl).port);
  const flood = (count: number, bytes: Buffer) =>
    Array.from({ length: count }, (_, i) => {
      const localAddress = `127.0.0.${2 + (i % 3)}`;
      const socket = connect({ host: '127.0.0.1', port, localAddress, noDelay: true });
      t.teardown(() => socket.destroy());
      socket.on('error', () => {});
      socket.resume();
      socket.write(bytes);
      return socket;
    });
  const hello = await clientHello();
  return { reader, flood, hello, ...doorCounts('rest') };
}

t.test('many whole first messages', async (t) => {
  const { reader, flood, hello, handshakes } = await flooded(t);

  await t.test('those above it wait for their turn, and then have it', async (t) => {
    const before = { ...handshakes };
    const began = performance.now();
    const sockets = flood(CONNECTIONS, hello);
    const answered = () => sockets.filter(({ bytesRead }) => bytesRead > 0).length;
    let most = Number.NEGATIVE_INFINITY;
    await until('all are answered', () => {
      const allowed = AT_ONCE + 1 + ((performance.now() - began) * PER_SECOND) / 1000;
      most = Math.max(most, handshakes.begun - before.begun - allowed);
      return answered() === CONNECTIONS;
    });
    t.ok(most <= 0, 'never more than their share');
    t.ok(handshakes.held > before.held, 'some were held');
    const { text } = await reader.call('GET', 'metrics');
    t.match(text, /singulate_tls_handshakes_total\{door="rest",state="held"\} [1-9]/);
    for (const socket of sockets) socket.destroy();
  });

  await t.test('a known client has a handshake of its own share beside them', async (t) => {
    const sockets = flood(CONNECTIONS, hello);
    t.equal((await reader.call('GET', 'version')).status, 200);
    for (const socket of sockets) socket.destroy();
  });
});

// On a reader of its own: what came to the other one may go on in it after its client has left.
t.test('first messages that are not whole', async (t) => {
  const { flood, hello, handshakes, refused } = await flooded(t);

  await t.test('before its first message is there as a whole nothing is begun', async (t) => {
    const before = handshakes.begun;
    const sockets = flood(10, hello.subarray(0, 3));
    const [first] = sockets;
    await until('they are connected', () =>
      sockets.every(({ readyState }) => readyState === 'open'),
    );
    await sleep(50);
    first?.write(hello.subarray(3, 100));
    await sleep(50);
    t.equal(handshakes.begun, before);
    first?.write(hello.subarray(100));
    await until('it is answered', () => (first?.bytesRead ?? 0) > 0);
    t.equal(handshakes.begun, before + 1);
  });

  await t.test('what is no TLS is closed', async (t) => {
    const before = refused.hello;
    const [socket] = flood(1, Buffer.from('GET / HTTP/1.1\r\n\r\n'));
    await until('it is closed', () => socket?.destroyed);
    t.equal(refused.hello, before + 1);
  });
});
