/** OS updates of the emulated device in the process of the gateway: each ends in its reboot. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { VERSION } from '../../src/shared/package-info.js';
import { FakeRadio } from './fake-radio.js';
import { GatewayProcess } from './gateway-process.js';
import { radioTarget, temporaryFolder, until } from './reader.js';
import { FileServer, makeBundle, readDevice, SIGNER } from './updates.js';

t.test('updates', async (t) => {
  const stateDir = temporaryFolder(t);
  const radio = new FakeRadio();
  await radio.listen(radioTarget(stateDir));
  t.teardown(() => radio.kill());
  const certificate = join(temporaryFolder(t), 'signer.pem');
  writeFileSync(certificate, SIGNER.cert);
  const options = ['--platform', 'emulated', '--update-cert', certificate, '--boot-id', 'run 1'];
  // An update is over with a boot, and the test does not wait until the next one may be asked for.
  options.push('--least-uptime', '0');
  const gateway = await GatewayProcess.start(t, stateDir, ...options);
  t.teardown(() => gateway.child.kill('SIGKILL'));
  await gateway.ready(1);
  const ended = async () => {
    for (const end = Date.now() + 30_000; ; ) {
      const { json } = await gateway.call('GET', 'status').catch(() => ({ json: {} }));
      if (json.lastOsUpdate !== undefined) return json.lastOsUpdate;
      if (Date.now() > end) throw new Error('the update does not end');
    }
  };
  const versions = async () => {
    const { json } = await gateway.call('GET', 'version');
    return [json.readerApplication, json.revertBackFirmware.readerApplication];
  };
  const reboots = () => JSON.parse(readFileSync(join(stateDir, 'device.json'), 'utf8')).reboots;

  t.test('a version that boots and is healthy stays', async (t) => {
    const server = await FileServer.start(t, makeBundle({ version: '9.1.0' }));
    const request = { url: server.url, authenticationType: 'NONE' };
    t.equal((await gateway.call('PUT', 'os', request)).status, 200);
    await gateway.ready(2);
    t.match(await ended(), { status: 'finished', version: '9.1.0' });
    t.same(await versions(), ['9.1.0', VERSION]);
    t.equal(reboots(), 1);
  });

  t.test('a version that does not boot: the reboot ends in the old one', async (t) => {
    const bundle = makeBundle({ version: '9.2.0', emulated: { boots: false } });
    const server = await FileServer.start(t, bundle);
    const request = { url: server.url, authenticationType: 'NONE' };
    t.equal((await gateway.call('PUT', 'os', request)).status, 200);
    await gateway.ready(3);
    t.match(await ended(), { status: 'failed', error: /does not boot/, version: '9.2.0' });
    t.same(await versions(), ['9.1.0', '']);
    t.equal(reboots(), 2);
  });

  t.test('a reboot that a client asks for is one of the same device', async (t) => {
    t.equal((await gateway.call('PUT', 'reboot', {})).status, 202);
    await gateway.ready(4);
    t.same(await versions(), ['9.1.0', '']);
    t.equal(reboots(), 3);
    t.equal(readDevice(stateDir).env.bootId, 'run 1 reboot 3');
  });

  t.test('a service that is started again in the same boot has not booted', async (t) => {
    gateway.child.kill('SIGKILL');
    const next = await GatewayProcess.start(t, stateDir, ...options);
    t.teardown(() => next.child.kill('SIGKILL'));
    await next.ready(1);
    await until('it is the boot of before', () => {
      return readDevice(stateDir).env.bootId === 'run 1 reboot 3';
    });
    t.equal((await next.call('GET', 'version')).json.readerApplication, '9.1.0');
    t.equal(reboots(), 3);
  });
});
