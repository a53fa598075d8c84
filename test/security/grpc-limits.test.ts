import { once } from 'node:events';
import { connect } from 'node:net';
import { type ClientReadableStream, status } from '@grpc/grpc-js';
import t from 'tap';
import type { RadioClient } from '../../src/contract/client.js';
import type { ReadBatch } from '../../src/contract/messages.js';
import { startRadioControl } from '../oem/radio-control.js';
import { refusal, secureRadio, socketClient, until } from './grpc.js';

/** @returns the stream once it stands, or why it was refused. */
function open(
  client: RadioClient,
): Promise<{ stream?: ClientReadableStream<ReadBatch>; code?: number; details?: string }> {
  const stream = client.streamReads();
  return new Promise((resolve) => {
    stream.once('metadata', () => resolve({ stream }));
    stream.on('error', ({ code, details }: { code?: number; details?: string }) =>
      resolve({ code: code as number, details: details as string }),
    );
  });
}

t.test('one client has so many streams, on all of its connections together', async (t) => {
  const radio = await secureRadio(t, ['--grpc-max-streams', '2']);
  const wanted = { name: 'pump', units: ['observer'] };
  const [one, two] = [radio.client(wanted), radio.client(wanted)];
  const first = await open(one);
  t.ok(first.stream);
  t.ok((await open(two)).stream);
  t.match(await open(one), {
    code: status.RESOURCE_EXHAUSTED,
    details: 'pump has 2 streams open, as many as it may (--grpc-max-streams)',
  });
  t.equal(await refusal(one.getStatus()), undefined, 'calls go on');
  t.ok((await open(radio.client({ ...wanted, name: 'valve' }))).stream, 'others have their own');
  first.stream?.cancel();
  await until(async () => (await open(one)).stream !== undefined, 'an ended stream makes room');
});

t.test('a client that calls without end is slowed down by errors', async (t) => {
  const service = await startRadioControl(t, ['--grpc-max-calls', '5']);
  const client = socketClient(t, service.target);
  const answers = await Promise.all(Array.from({ length: 40 }, () => refusal(client.getStatus())));
  const refused = answers.filter((answer) => answer !== undefined);
  t.ok(refused.length > 0 && refused.length <= 35, `${refused.length} refused`);
  t.match(refused[0], {
    code: status.RESOURCE_EXHAUSTED,
    details: /^socket-\d+ makes more than 5 calls a second \(--grpc-max-calls\)$/,
  });
  await until(async () => (await refusal(client.getStatus())) === undefined, 'it may again');
});

t.test('a door has so many connections, each door its own', async (t) => {
  const radio = await secureRadio(t, ['--grpc-max-clients', '1']);
  const first = radio.client({ name: 'first', units: ['observer'] });
  t.equal(await refusal(first.getStatus()), undefined);
  t.match(await refusal(radio.client({ name: 'second', units: ['admin'] }).getStatus()), {
    code: status.RESOURCE_EXHAUSTED,
    details: '1 clients are connected, as many as may be (--grpc-max-clients)',
  });
  const local = socketClient(t, radio.service.target);
  t.equal(await refusal(local.getStatus()), undefined, 'the socket is not the worse for it');
  first.close();
  const third = radio.client({ name: 'third', units: ['observer'] });
  await until(
    async () => (await refusal(third.getStatus())) === undefined,
    'one that goes makes room',
  );
});

t.test('one client has so many connections', async (t) => {
  const radio = await secureRadio(t);
  const wanted = { name: 'pump', units: ['observer'] };
  const pair = radio.certificates.ours.issue(wanted);
  for (let i = 0; i < 8; i++) {
    t.equal(await refusal(radio.clientWith(pair).getStatus()), undefined);
  }
  t.match(await refusal(radio.clientWith(pair).getStatus()), {
    code: status.RESOURCE_EXHAUSTED,
    details: 'pump has 8 connections open, as many as one client may',
  });
});

t.test('a request above 1 MB is refused', async (t) => {
  const service = await startRadioControl(t);
  const client = socketClient(t, service.target);
  const owner = 'x'.repeat(1_100_000);
  t.match(await refusal(client.startInventory({ plan: {}, owner })), {
    code: status.RESOURCE_EXHAUSTED,
    details: /larger than max/,
  });
});

t.test('connections that say nothing are closed', async (t) => {
  const service = await startRadioControl(t, ['--grpc-keepalive', '1']);
  const socket = connect(service.target.slice('unix:'.length));
  socket.resume();
  await once(socket, 'close');
  t.pass('the keep-alive has ended it');
});
