import { status } from '@grpc/grpc-js';
import t from 'tap';
import { Authority } from '../gateway/certificates.js';
import { refusal, secureRadio, until } from './grpc.js';

t.test('a renewed server certificate is shown to new clients, the old stay', async (t) => {
  const radio = await secureRadio(t);
  const wanted = { name: 'pump', units: ['observer'] };
  const old = radio.client(wanted);
  const stream = old.streamReads();
  let ended = false;
  stream.on('error', () => {
    ended = true;
  });
  await new Promise((resolve) => stream.once('metadata', resolve));

  const other = new Authority('Other CA');
  radio.certificates.install(other.issue({ name: 'reader' }));
  const pair = radio.certificates.ours.issue(wanted);
  await until(async () => {
    const client = radio.clientWith(pair, other.cert);
    const refused = await refusal(client.getStatus());
    // One that stays open tries again by itself, and would take the place of those that come later.
    client.close();
    return refused === undefined;
  }, 'the new certificate is shown');
  t.equal(await refusal(old.getStatus()), undefined);
  t.notOk(ended);
  stream.cancel();
});

t.test('files that do not fit are not used until they do', async (t) => {
  const radio = await secureRadio(t);
  const { certificates, service } = radio;
  const wanted = { name: 'pump', units: ['observer'] };
  const fresh = certificates.ours.issue({ name: 'reader' });
  certificates.write('server.crt', fresh.cert);
  await until(
    () => /changed certificate files of gRPC are not used/.test(service.log()),
    'it says',
  );
  t.equal(await refusal(radio.client(wanted).getStatus()), undefined, 'the old ones still serve');
  certificates.write('server.key', fresh.key);
  await until(() => /gRPC took up its changed certificate files/.test(service.log()), 'they fit');
  t.equal(await refusal(radio.client(wanted).getStatus()), undefined);
});

t.test('clients of an authority that is trusted no longer are out at once', async (t) => {
  const radio = await secureRadio(t);
  const wanted = { name: 'pump', units: ['observer'] };
  const client = radio.client(wanted);
  const stream = client.streamReads();
  const ended = new Promise<{ code: number }>((resolve) => stream.once('error', resolve));
  await new Promise((resolve) => stream.once('metadata', resolve));
  const other = new Authority('Other CA');
  radio.certificates.write('ca.crt', other.cert);
  t.match(await ended, { code: status.UNAVAILABLE });
  t.match(await refusal(client.getStatus()), { code: status.UNAVAILABLE });
  t.equal(await refusal(radio.client(wanted, other).getStatus()), undefined);
});
