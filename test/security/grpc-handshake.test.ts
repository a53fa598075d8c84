import { once } from 'node:events';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { status } from '@grpc/grpc-js';
import t from 'tap';
import { RadioClient } from '../../src/contract/client.js';
import { Authority, selfSigned } from '../gateway/certificates.js';
import { refusal, secureRadio, until } from './grpc.js';
import { CHEAP_GROUPS, DEAR_GROUPS } from './key-agreement.js';

t.test('only certificates that our CA signed and that are valid now are let in', async (t) => {
  const radio = await secureRadio(t);
  const wanted = { name: 'pump', units: ['admin'] };
  const strangers = {
    'another CA': radio.client(wanted, new Authority('Other CA')),
    'a CA of the same name': radio.client(wanted, new Authority('Our CA')),
    expired: radio.client({ ...wanted, expired: true }),
    'not yet valid': radio.client({ ...wanted, notYet: true }),
    'self-signed': radio.clientWith(selfSigned(wanted)),
  };
  for (const [what, client] of Object.entries(strangers)) {
    t.match(await refusal(client.getStatus()), { code: status.UNAVAILABLE }, what);
  }
  t.equal(await refusal(radio.client(wanted).getStatus()), undefined, 'the others are served');
  await until(() => /gRPC refused a TLS client/.test(radio.service.log()), 'it is in the log');
});

t.test('a client without a certificate is not let in', async (t) => {
  const { port, certificates } = await secureRadio(t);
  const socket = connectTls({
    ...{ port, host: '127.0.0.1', ca: certificates.ours.cert },
    ALPNProtocols: ['h2'],
  });
  let data = 0;
  socket.on('data', (chunk) => {
    data += chunk.length;
  });
  const [error] = await once(socket, 'error');
  t.match(error, { code: /ALERT|ECONNRESET/ });
  t.equal(data, 0);
});

t.test('nobody speaks without TLS', async (t) => {
  const { port } = await secureRadio(t);
  const plain = new RadioClient(`127.0.0.1:${port}`);
  t.teardown(() => plain.close());
  t.match(await refusal(plain.getStatus()), { code: status.UNAVAILABLE });
  const socket = connect(port, '127.0.0.1');
  socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
  socket.on('error', () => {});
  socket.resume();
  await once(socket, 'close');
  t.pass('the connection is closed');
});

t.test('TLS below 1.2 is refused', async (t) => {
  const { port, certificates } = await secureRadio(t);
  const { cert, key } = certificates.ours.issue({ name: 'old', units: ['admin'] });
  const socket = connectTls({
    ...{ port, host: '127.0.0.1', ca: certificates.ours.cert, cert, key },
    ...{ minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' },
  });
  const [error] = await once(socket, 'error');
  t.match(error, { code: /PROTOCOL_VERSION|ALERT/ });
});

t.test('a client refuses a service that is not the one it knows', async (t) => {
  const radio = await secureRadio(t);
  const pair = radio.certificates.ours.issue({ name: 'pump', units: ['observer'] });
  const client = radio.clientWith(pair, new Authority('Other CA').cert);
  t.match(await refusal(client.getStatus()), { code: status.UNAVAILABLE });
});

t.test('key agreements that cost much are refused', async (t) => {
  const { port, certificates } = await secureRadio(t);
  const pair = certificates.ours.issue({ name: 'pump', units: ['admin'] });
  const open = (ecdhCurve: string) => {
    const ca = certificates.ours.cert;
    const socket = connectTls({ ...pair, port, host: '127.0.0.1', ca, ecdhCurve });
    t.teardown(() => socket.destroy());
    return once(socket, 'secureConnect');
  };
  for (const group of DEAR_GROUPS) {
    await t.rejects(open(group), /handshake failure|ECONNRESET/, group);
  }
  for (const group of CHEAP_GROUPS) await t.resolves(open(group), group);
});
