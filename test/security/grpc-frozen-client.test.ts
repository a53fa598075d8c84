import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { RadioClient } from '../../src/contract/client.js';
import { PACKAGE_ROOT } from '../../src/shared/package-info.js';
import { startRadioControl } from '../oem/radio-control.js';
import { refusal, secureRadio, socketClient, until } from './grpc.js';

const LIMITS = ['--grpc-keepalive', '2', '--grpc-max-clients', '1'];

t.test('a client process that is frozen is given up', async (t) => {
  const service = await startRadioControl(t, LIMITS);
  const example = join(PACKAGE_ROOT, 'docs/examples/oem-client.mjs');
  const child = spawn(process.execPath, [example, service.target], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  const other = socketClient(t, service.target);
  t.ok(await refusal(other.getStatus()), 'it has the one place');
  child.kill('SIGSTOP');
  await until(async () => (await refusal(other.getStatus())) === undefined, 'its place is free');
});

t.test('a client behind a network that swallows everything is given up', async (t) => {
  const radio = await secureRadio(t, LIMITS);
  const sockets: Socket[] = [];
  const proxy = createServer((near) => {
    const far = connect(radio.port, '127.0.0.1');
    sockets.push(near, far);
    for (const socket of [near, far]) socket.on('error', () => {});
    near.pipe(far).pipe(near);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    proxy.close();
  });
  const { cert, key } = radio.certificates.ours.issue({ name: 'far', units: ['observer'] });
  const far = new RadioClient(`127.0.0.1:${(proxy.address() as { port: number }).port}`, {
    ...{ ca: Buffer.from(radio.certificates.ours.cert) },
    ...{ cert: Buffer.from(cert), key: Buffer.from(key) },
  });
  t.teardown(() => far.close());
  const stream = far.streamReads();
  stream.on('error', () => {});
  await new Promise((resolve) => stream.once('metadata', resolve));
  const near = radio.client({ name: 'near', units: ['observer'] });
  t.ok(await refusal(near.getStatus()), 'it has the one place');
  for (const socket of sockets) {
    socket.unpipe();
    socket.pause();
  }
  await until(async () => (await refusal(near.getStatus())) === undefined, 'its place is free');
});

t.test('a client that is idle and answers stays', async (t) => {
  const service = await startRadioControl(t, ['--grpc-keepalive', '1']);
  const client = socketClient(t, service.target);
  const stream = client.streamReads();
  let ended = false;
  stream.on('error', () => {
    ended = true;
  });
  await new Promise((resolve) => stream.once('metadata', resolve));
  await new Promise((resolve) => setTimeout(resolve, 4000));
  t.notOk(ended, 'three pings later');
  stream.cancel();
});
