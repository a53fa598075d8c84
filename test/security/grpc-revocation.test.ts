import { status } from '@grpc/grpc-js';
import t from 'tap';
import { freePort } from '../../bench/delivery/free-port.js';
import { RadioClient } from '../../src/contract/client.js';
import { startRadioControl } from '../oem/radio-control.js';
import { Certificates, refusal } from './grpc.js';
import { revocationList } from './revocation-list.js';

t.test('a client whose certificate is revoked is out at once and stays out', async (t) => {
  const certificates = new Certificates(t);
  certificates.write('crl.pem', revocationList(certificates.ours, []));
  const port = await freePort();
  await startRadioControl(t, [
    ...['--grpc-port', String(port), ...certificates.options],
    ...['--grpc-client-crl', certificates.path('crl.pem')],
  ]);
  const connect = (name: string) => {
    const pair = certificates.ours.issue({ name, units: ['controller'] });
    const client = new RadioClient(`127.0.0.1:${port}`, {
      ca: Buffer.from(certificates.ours.cert),
      cert: Buffer.from(pair.cert),
      key: Buffer.from(pair.key),
    });
    t.teardown(() => client.close());
    return { client, cert: pair.cert };
  };
  const stolen = connect('stolen');
  const kept = connect('kept');
  const stream = stolen.client.streamReads();
  const ended = new Promise<{ code: number }>((resolve) => stream.once('error', resolve));
  await new Promise((resolve) => stream.once('metadata', resolve));

  certificates.write('crl.pem', revocationList(certificates.ours, [stolen.cert]));
  t.match(await ended, { code: status.UNAVAILABLE });
  t.match(await refusal(stolen.client.getStatus()), { code: status.UNAVAILABLE });
  t.equal(await refusal(kept.client.getStatus()), undefined);
});
