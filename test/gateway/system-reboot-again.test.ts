/** A reader that was just booted is not rebooted again at once, no matter who asks for it. */
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { FakeRadio } from './fake-radio.js';
import { GatewayProcess } from './gateway-process.js';
import { Listener, radioTarget, TestBroker, temporaryFolder, until } from './reader.js';

const DAY_MS = 86_400_000;
const TOO_SOON = /^the reader booted \d+ s ago: it can be rebooted in \d+ s, \d+ s after a boot$/;

async function folderWithRadio(t: Test, device: object): Promise<string> {
  const stateDir = temporaryFolder(t);
  writeFileSync(join(stateDir, 'device.json'), JSON.stringify(device));
  const radio = new FakeRadio();
  await radio.listen(radioTarget(stateDir));
  t.teardown(() => radio.kill());
  return stateDir;
}

t.test('a second reboot within the least uptime is refused', async (t) => {
  const broker = new TestBroker();
  await broker.start();
  const listener = new Listener(broker.url, 'singulate/m-res');
  t.teardown(async () => {
    listener.client.end(true);
    await broker.stop();
  });
  const stateDir = await folderWithRadio(t, { reboots: 1, bootedMs: Date.now() - DAY_MS });
  // Longer than a slow machine needs for all of this.
  const more = ['--local-broker', broker.url.href, '--least-uptime', '600'];
  const gateway = await GatewayProcess.start(t, stateDir, ...more);
  await gateway.ready(1);
  t.equal((await gateway.call('PUT', 'reboot', {})).status, 202, 'one that was booted long ago');
  await gateway.ready(2);

  const refused = await gateway.call('PUT', 'reboot', {});
  t.match(refused, { status: 400, json: { code: 3, message: TOO_SOON } });
  const waitS = Number(refused.headers['retry-after']);
  t.ok(waitS > 0 && waitS <= 600, `Retry-After ${waitS} s`);
  const reset = await gateway.call('PUT', 'config/reset', { confirm: true });
  t.match(reset, { status: 400, json: { code: 3, message: TOO_SOON } }, 'a factory reset too');

  await until('the listener is there', () => listener.subscribed);
  await until('commands over MQTT are taken', async () => {
    const ask = JSON.stringify({ command: 'reboot', command_id: 'again', payload: {} });
    await listener.client.publishAsync('singulate/m-req', ask);
    return listener.messages.length > 0;
  });
  const [answer] = listener.messages;
  t.match(answer?.json, { response: 'failure', payload: { code: 3, message: TOO_SOON } });

  gateway.child.kill('SIGKILL');
  await once(gateway.child, 'exit');
  const next = await GatewayProcess.start(t, stateDir, ...more);
  await next.ready(1);
  t.equal((await next.call('PUT', 'reboot', {})).status, 400, 'a new process knows of the boot');
  t.equal(JSON.parse(readFileSync(join(stateDir, 'device.json'), 'utf8')).reboots, 2);
});

t.test('a clock that was set back does not keep it from being rebooted', async (t) => {
  const stateDir = await folderWithRadio(t, { reboots: 1, bootedMs: Date.now() + DAY_MS });
  const gateway = await GatewayProcess.start(t, stateDir, '--least-uptime', '2');
  await gateway.ready(1);
  await until(
    'it was up long enough',
    async () => (await gateway.call('PUT', 'reboot', {})).status === 202,
    60_000,
  );
  await gateway.ready(2);
});
