/** tcpip-server endpoints with TLS: dear key agreements are refused, silent clients make room. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import t from 'tap';
import { freePort } from '../../bench/delivery/free-port.js';
import { doorCounts } from '../../src/shared/arrivals/door-counts.js';
import { TestReader, until } from '../gateway/reader.js';
import { CHEAP_GROUPS, DEAR_GROUPS } from './key-agreement.js';

t.test('one endpoint', async (t) => {
  const reader = await TestReader.start(t);
  t.teardown(() => reader.gateway.stop());
  const port = await freePort();
  const options = {
    tcpipport: String(port),
    enableSecurity: true,
    security: { useLocalCerts: true },
  };
  const connections = [{ type: 'tcpip-server', name: 'line', options }];
  const config = { endpointConfig: { data: { event: { connections } } } };
  t.equal((await reader.call('PUT', 'cloudConfig', config)).status, 200);
  const open = async (more: object = {}): Promise<TLSSocket> => {
    const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false, ...more });
    t.teardown(() => socket.destroy());
    await once(socket, 'secureConnect');
    return socket;
  };
  await until('it listens', async () => {
    const socket = await open().catch(() => undefined);
    socket?.destroy();
    return socket;
  });

  for (const ecdhCurve of DEAR_GROUPS) {
    t.test(`refused: key agreement by ${ecdhCurve}`, async (t) => {
      await t.rejects(open({ ecdhCurve }), /handshake failure|ECONNRESET/);
    });
  }

  t.test('key agreements that cost little go', async (t) => {
    for (const ecdhCurve of CHEAP_GROUPS) {
      const socket = await open({ ecdhCurve });
      t.equal(socket.getProtocol(), 'TLSv1.3', ecdhCurve);
      socket.destroy();
      await once(socket, 'close');
    }
  });

  t.test('40 silent connections do not keep a client out, nor one that is there', async (t) => {
    const there = await open();
    const { refused } = doorCounts('tcpip-server');
    const before = refused.replaced + refused.places;
    for (let i = 0; i < 40; i++) {
      const socket = connect({ port, host: '127.0.0.1', localAddress: `127.0.0.${2 + (i % 2)}` });
      t.teardown(() => socket.destroy());
      socket.on('error', () => {});
      socket.resume();
    }
    await until('there are more than may be', () => refused.replaced + refused.places > before);
    await open();
    t.notOk(there.destroyed);
  });
});
