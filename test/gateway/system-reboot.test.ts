/** Reboot of the emulated device: the process of the gateway goes on, its service begins again. */
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { RadioState } from '../../src/contract/messages.js';
import { FakeRadio } from './fake-radio.js';
import { GatewayProcess } from './gateway-process.js';
import { radioTarget, temporaryFolder, until } from './reader.js';

function uptimeSeconds(text: string): number {
  const [, days, hours, minutes, seconds] = /^(\d+) days (\d+):(\d+):(\d+)$/.exec(text) ?? [];
  return ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds);
}

t.test('a reboot', async (t) => {
  const stateDir = temporaryFolder(t);
  // It was booted long ago.
  const device = join(stateDir, 'device.json');
  writeFileSync(device, JSON.stringify({ reboots: 1, bootedMs: Date.now() - 40_000 }));
  const radio = new FakeRadio();
  await radio.listen(radioTarget(stateDir));
  t.teardown(() => radio.kill());
  const gateway = await GatewayProcess.start(t, stateDir, '--autostart', '--least-uptime', '0');
  t.teardown(() => gateway.child.kill('SIGKILL'));
  await gateway.ready(1);
  const uptime = async () => uptimeSeconds((await gateway.call('GET', 'status')).json.uptime);

  t.test('answers 202 with a text, and uptime begins again', async (t) => {
    t.ok((await uptime()) >= 39, 'before');
    await gateway.call('PUT', 'hostname', { hostname: 'dock-3' });
    const { status, headers, text } = await gateway.call('PUT', 'reboot', {});
    t.equal(status, 202);
    t.match(headers['content-type'], /^text\/plain/);
    t.match(text, /reboots now/);
    await gateway.ready(2);
    t.ok((await uptime()) < 30, 'after');
    t.equal(JSON.parse(readFileSync(device, 'utf8')).reboots, 2);
    t.equal((await gateway.call('GET', 'network')).json.hostName, 'dock-3', 'settings stay');
  });

  t.test('ends reading, also where the first start reads by itself', async (t) => {
    await until('the radio is stopped', () => radio.state === RadioState.RADIO_STATE_IDLE);
    await sleep(700);
    t.equal(radio.state, RadioState.RADIO_STATE_IDLE);
  });

  t.test('goes on reading if that was to persist', async (t) => {
    await gateway.call('PUT', 'start', { doNotPersistState: false });
    t.ok(radio.isReading);
    // The second comes while the service goes down, or is too late.
    await Promise.allSettled([gateway.call('PUT', 'reboot'), gateway.call('PUT', 'reboot')]);
    await gateway.ready(3);
    await sleep(700);
    t.ok(radio.isReading);
    t.equal(gateway.urls.length, 3, 'one start');
  });

  t.test('lasts: the next process knows the same boot', async (t) => {
    const before = await uptime();
    gateway.child.kill('SIGKILL');
    await once(gateway.child, 'exit');
    const next = await GatewayProcess.start(t, stateDir, '--autostart');
    t.teardown(() => next.child.kill('SIGKILL'));
    await next.ready(1);
    const after = uptimeSeconds((await next.call('GET', 'status')).json.uptime);
    t.ok(after >= before && after < before + 30, `${before} s, then ${after} s`);
  });
});
