import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { Certificates, complaint } from './grpc.js';

t.test('a key that others may read is refused by its name', async (t) => {
  const certificates = new Certificates(t);
  const key = certificates.path('server.key');
  const args = ['--grpc-port', '15051', ...certificates.options];
  for (const mode of [0o644, 0o602]) {
    chmodSync(key, mode);
    const text = `--grpc-key ${key}: others may use it (mode 0${mode.toString(8)}); allowed: 0600`;
    t.match(await complaint(t, args), text);
  }
});

t.test('certificate files that cannot be used are one clear line', async (t) => {
  const certificates = new Certificates(t);
  const args = (name: string) => [
    ...['--grpc-port', '15051', ...certificates.options],
    ...['--grpc-client-crl', certificates.path(name)],
  ];
  t.match(await complaint(t, args('no-such-file')), /--grpc-client-crl .*no-such-file: ENOENT/);
  certificates.write('rubbish', 'rubbish');
  t.match(await complaint(t, args('rubbish')), /--grpc-client-crl .*rubbish cannot be used: /);
  certificates.write('ca.crt', 'rubbish');
  t.match(await complaint(t, args('rubbish')), /--grpc-client-c(a|rl) .* cannot be used: /);
  certificates.write('server.key', certificates.ours.issue({ name: 'another' }).key);
  t.match(await complaint(t, args('rubbish')), /--grpc-c.* cannot be used: /);
});

t.test('options of TLS that lack each other are refused', async (t) => {
  const folder = t.testdir({});
  const file = join(folder, 'x');
  const hint = '(singulate grpc-certificates DIR makes them; docs/grpc-security.md)';
  const cases: [string[], string][] = [
    [['--grpc-port', '15051'], `--grpc-port 15051 needs --grpc-cert ${hint}`],
    [['--grpc-listen', '[::1]:15051', '--grpc-cert', file], `[::1]:15051 needs --grpc-key ${hint}`],
    [['--grpc-client-ca', file], '--grpc-client-ca is for --grpc-listen or --grpc-port'],
    [['--grpc-listen', 'here'], '--grpc-listen: here given; allowed: HOST:PORT'],
    [['--grpc-listen', 'a:1', '--grpc-port', '1'], '--grpc-listen and --grpc-port exclude each'],
  ];
  for (const [args, text] of cases) t.match(await complaint(t, args), text);
});
