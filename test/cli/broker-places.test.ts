/** Connections that take room at the reader's own broker, and say nothing. */
import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import mqtt from 'mqtt';
import t from 'tap';
import { freePort } from '../../bench/delivery/free-port.js';
import { startBroker } from '../../src/cli/broker.js';
import { PacketSizes } from '../../src/cli/broker-places.js';

const PASSWORD = 'a password of tests';
/** PUBLISH with a remaining length of 268,435,455 bytes, the most that MQTT can say. */
const HUGE = Buffer.from([0x30, 0xff, 0xff, 0xff, 0x7f]);

t.test('one broker', async (t) => {
  const port = await freePort();
  const started = await startBroker(port, { password: PASSWORD, openTagEvents: false });
  t.teardown(() => started.close());
  const sockets: Socket[] = [];
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
  });
  const open = async () => {
    const socket = createConnection(port, '127.0.0.1');
    sockets.push(socket);
    socket.on('error', () => {});
    await once(socket, 'connect');
    return socket;
  };
  const login = async () => {
    const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${port}`, {
      ...{ username: 'local', password: PASSWORD, reconnectPeriod: 0 },
    });
    const { connected } = client;
    await client.endAsync(true);
    return connected;
  };

  t.test('silent connections keep nobody with a login out, and do not stay', async (t) => {
    const silent = [];
    for (let i = 0; i < 300; i++) silent.push(await open());
    t.equal(await login(), true);
    const last = silent.at(-1) as Socket;
    last.resume();
    await once(last, 'close');
    t.pass('it is cut off by itself');
  });

  t.test('a packet that is announced as too large is cut off before it is there', async (t) => {
    const before = process.memoryUsage().rss;
    for (let i = 0; i < 4; i++) {
      const socket = await open();
      const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
      socket.resume();
      socket.write(HUGE);
      const part = Buffer.alloc(1_000_000);
      for (let sent = 0; sent < 100 && !socket.destroyed; sent++) {
        const taken = new Promise<void>((resolve) => socket.write(part, () => resolve()));
        await Promise.race([taken, closed]);
      }
      await closed;
    }
    const grown = process.memoryUsage().rss - before;
    t.ok(grown < 60e6, `grown by ${grown} bytes of 400 MB`);
    t.equal(await login(), true);
  });
});

t.test('sizes are found wherever a packet is cut', (t) => {
  const publish = (bytes: number) => {
    const header = [0x30];
    for (let rest = bytes; ; rest = Math.floor(rest / 128)) {
      header.push((rest % 128) | (rest >= 128 ? 0x80 : 0));
      if (rest < 128) break;
    }
    return Buffer.concat([Buffer.from(header), Buffer.alloc(bytes, 0xff)]);
  };
  const stream = Buffer.concat([publish(0), publish(127), publish(128), publish(20_000)]);
  for (const step of [1, 2, 3, 7, 127, 1000, stream.length]) {
    const sizes = new PacketSizes();
    let taken = 0;
    while (taken < stream.length && sizes.take(stream.subarray(taken, taken + step))) taken += step;
    t.ok(taken >= stream.length, `${taken} bytes`);
    t.equal(sizes.take(publish(1_000_001)), false, `in steps of ${step}`);
  }
  t.equal(new PacketSizes().take(publish(1_000_000)), true);
  t.equal(new PacketSizes().take(HUGE), false);
  t.equal(new PacketSizes().take(Buffer.from([0x30, 0x80, 0x80, 0x80, 0x80, 0])), false);
  t.end();
});
