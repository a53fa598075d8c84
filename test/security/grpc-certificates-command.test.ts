import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { status } from '@grpc/grpc-js';
import t from 'tap';
import { freePort } from '../../bench/delivery/free-port.js';
import { RadioClient } from '../../src/contract/client.js';
import { PACKAGE_ROOT } from '../../src/shared/package-info.js';
import { startRadioControl } from '../oem/radio-control.js';
import { refusal } from './grpc.js';

const run = promisify(execFile);
const make = (...args: string[]) =>
  run(process.execPath, [join(PACKAGE_ROOT, 'dist/src/cli/main.js'), 'grpc-certificates', ...args]);

t.test('the certificates that the command makes let each role in', async (t) => {
  const folder = join(t.testdir({}), 'pki');
  const { stdout } = await make(folder, '--host', 'dock-7.example', '--host', '192.0.2.7');
  t.match(stdout, `--grpc-client-ca ${join(folder, 'ca.crt')}`);
  const read = (name: string) => readFileSync(join(folder, name));
  for (const name of ['ca', 'server', 'observer', 'controller', 'admin']) {
    t.equal(statSync(join(folder, `${name}.key`)).mode & 0o777, 0o600, `${name}.key is private`);
  }
  const server = new X509Certificate(read('server.crt'));
  for (const host of ['dock-7.example', 'localhost']) t.ok(server.checkHost(host), host);
  for (const address of ['192.0.2.7', '127.0.0.1', '::1']) t.ok(server.checkIP(address), address);

  const port = await freePort();
  await startRadioControl(t, [
    ...['--grpc-port', String(port), '--grpc-client-ca', join(folder, 'ca.crt')],
    ...['--grpc-cert', join(folder, 'server.crt'), '--grpc-key', join(folder, 'server.key')],
  ]);
  const client = (role: string, target = `127.0.0.1:${port}`, serverName?: string) => {
    const tls = { ca: read('ca.crt'), cert: read(`${role}.crt`), key: read(`${role}.key`) };
    const one = new RadioClient(target, serverName === undefined ? tls : { ...tls, serverName });
    t.teardown(() => one.close());
    return one;
  };
  t.match(await refusal(client('observer').stopInventory()), { code: status.PERMISSION_DENIED });
  t.match(await refusal(client('controller').setLogLevel({ level: 5 })), {
    details: 'SetLogLevel needs the role admin; controller has the role controller',
  });
  t.equal(await refusal(client('admin').setLogLevel({ level: 5 })), undefined);
  const byName = client('observer', `127.0.0.1:${port}`, 'dock-7.example');
  t.equal(await refusal(byName.getStatus()), undefined, 'by a name that the certificate has');
  const asClient = client('server');
  t.match(
    await refusal(asClient.getStatus()),
    { code: status.UNAVAILABLE },
    'a server is no client',
  );
});

t.test('it overwrites nothing and takes no odd host', async (t) => {
  const folder = t.testdir({ 'admin.key': 'mine' });
  await t.rejects(make(folder), { code: 2, stderr: /admin\.key is there already/ });
  t.equal(readFileSync(join(folder, 'admin.key'), 'utf8'), 'mine');
  t.throws(() => statSync(join(folder, 'ca.key')), 'nothing is half made');
  await t.rejects(make(join(folder, 'new'), '--host', 'a b'), {
    code: 2,
    stderr: 'singulate: --host: a b given; allowed: a DNS name or an IP address\n',
  });
});
