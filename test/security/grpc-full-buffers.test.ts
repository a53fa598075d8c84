/** Clients that fill the buffers of their connection: the service reads on, and none of them stays for ever. */
import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { startRadioControl } from '../oem/radio-control.js';
import { shortFolder, socketClient, until } from './grpc.js';

const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
/** Length 0, type 4 (SETTINGS), no flags, stream 0 (RFC 9113, 6.5). */
const SETTINGS = Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]);
/** Length 8, type 6 (PING), no flags, stream 0, and any 8 bytes (RFC 9113, 6.7). */
const PING = Buffer.from([0, 0, 8, 6, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8]);
/** More at once would be a flood, and that is cut off. */
const AT_ONCE = Buffer.concat(Array.from({ length: 200 }, () => PING));
/** Together far more than the kernel keeps of answers of so few bytes. */
const TIMES = 150;

t.test('a client that writes and does not read before it has written is read', async (t) => {
  const service = await startRadioControl(t);
  const socket = connect(service.target.replace('unix:', ''));
  t.teardown(() => socket.destroy());
  await once(socket, 'connect');
  socket.pause();
  const other = socketClient(t, service.target);
  socket.write(Buffer.concat([PREFACE, SETTINGS]));
  for (let i = 0; i < TIMES; i++) {
    await new Promise((resolve) => socket.write(AT_ONCE, resolve));
    // The service has had its turn for these as well.
    await other.getStatus();
  }
  t.equal(socket.writableLength, 0, 'all is taken');
  let received = 0;
  socket.on('data', (chunk) => {
    received += chunk.length;
  });
  socket.resume();
  await until(() => received > 0, 'there are answers');
});

t.test('a client that takes nothing is cut off and counted; others read on', async (t) => {
  const service = await startRadioControl(t, ['--seed', '1']);
  const near = join(shortFolder(t), 'near.sock');
  let far: Socket | undefined;
  const line = createServer((client) => {
    far = connect(service.target.replace('unix:', ''));
    // Only what the service says stays where it is.
    client.pipe(far);
    far.pause();
    for (const one of [client, far]) one.on('error', () => {});
  }).listen(near);
  t.teardown(() => {
    line.close();
    far?.destroy();
  });
  const session = connectHttp2('http://radio', {
    createConnection: () => connect(near),
    settings: { initialWindowSize: 2 ** 31 - 1 },
  });
  session.on('error', () => {});
  t.teardown(() => session.destroy());
  await once(session, 'connect');
  session.setLocalWindowSize(2 ** 31 - 1);
  const headers = { 'content-type': 'application/grpc', te: 'trailers', ':method': 'POST' };
  for (let i = 0; i < 8; i++) {
    const stream = session.request({
      ...headers,
      ':path': '/singulate.radio.v1.Radio/StreamReads',
    });
    stream.on('error', () => {});
    // A message without a field.
    stream.end(Buffer.alloc(5));
  }
  const other = socketClient(t, service.target);
  const reads = other.streamReads();
  reads.on('error', () => {});
  let batches = 0;
  reads.on('data', () => {
    batches += 1;
  });
  await other.startInventory({ plan: {} });
  await until(() => far !== undefined && batches > 0, 'it reads');
  await until(async () => {
    const { connections } = await other.getStatistics();
    return String(connections?.refused?.standing) === '1';
  }, 'it is cut off');
  const before = batches;
  await until(() => batches > before, 'the other reads on');
});
