/** Host name, time zone, NTP server and reboot of a Linux system, by the interface's own operations. */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { LinuxNtp } from '../../src/platform/linux/linux-ntp.js';
import { SystemBus, type Target } from '../../src/platform/linux/system-bus.js';
import { TestReader, temporaryFolder, until } from '../gateway/reader.js';
import { HOSTNAMED, LOGIND, mockHostnamed, Services, TIMEDATED } from './services.js';

t.test('settings of a Linux system', async (t) => {
  const services = await Services.start(t);
  process.env.DBUS_SYSTEM_BUS_ADDRESS = services.address;
  const hostnamed = await mockHostnamed(services, 'reader-of-mock');
  await services.mock(TIMEDATED.destination, '--template', 'timedated');
  await services.mock(LOGIND.destination, '--template', 'logind');
  const reader = await TestReader.start(t, { platform: 'linux' });
  t.teardown(() => reader.gateway.stop());

  t.test('the host name is that of hostnamed', async (t) => {
    t.equal((await reader.call('GET', 'nameAndDescription')).json.name, 'reader-of-mock');
    t.match(await reader.call('PUT', 'hostname', { hostname: 'dock-1' }), { status: 200 });
    t.equal(await services.bus.property(HOSTNAMED, 'StaticHostname'), 'dock-1');
    t.equal((await reader.call('GET', 'nameAndDescription')).json.name, 'dock-1');
  });

  t.test('the time zone is that of timedated', async (t) => {
    t.match((await reader.call('GET', 'timeZone')).json, { timeZone: /Coordinated|Etc/ });
    t.match(await reader.call('PUT', 'timeZone', { timeZone: 'Tokyo' }), { status: 200 });
    t.equal(await services.bus.property(TIMEDATED, 'Timezone'), 'Asia/Tokyo');
    t.match((await reader.call('GET', 'status')).json, { systemTime: /\+09:00$/ });
    t.same((await reader.call('GET', 'timeZone')).json, {
      timeZone: '(GMT+09:00) Osaka, Sapporo, Tokyo',
    });
  });

  t.test('a service that refuses is an error of the operation, and nothing changes', async (t) => {
    await services.fails(TIMEDATED, 'SetTimezone', 'sb');
    t.match(await reader.call('PUT', 'timeZone', { timeZone: 'Berlin' }), {
      status: 500,
      json: { code: 4, message: /timedate1 SetTimezone: org\.example\.Broken: out of order/ },
    });
    t.match((await reader.call('GET', 'status')).json, { systemTime: /\+09:00$/ });
    await services.fails(HOSTNAMED, 'SetStaticHostname', 'sb');
    t.match(await reader.call('PUT', 'hostname', { hostname: 'dock-2' }), {
      status: 500,
      json: { code: 4, message: /out of order/ },
    });
    t.equal((await reader.call('GET', 'nameAndDescription')).json.name, 'dock-1');
  });

  t.test('reboot asks logind, after the answer', async (t) => {
    t.match(await reader.call('PUT', 'reboot', {}), { status: 202 });
    let calls = 0;
    const look = setInterval(async () => {
      calls = await services.calls(LOGIND, 'Reboot').catch(() => 0);
    }, 50);
    t.teardown(() => clearInterval(look));
    await until('the call of Reboot', () => calls === 1);
    await services.method(LOGIND, 'CanReboot', '', 's', 'ret = "no"');
    t.match(await reader.call('PUT', 'reboot', {}), {
      status: 500,
      json: { code: 4, message: 'this service may not reboot the system: no' },
    });
  });

  t.test('a service that is gone is an error, and the reader goes on', async (t) => {
    hostnamed.kill('SIGKILL');
    await until('hostnamed is gone', () => hostnamed.signalCode !== null);
    const gone = await reader.call('PUT', 'hostname', { hostname: 'dock-4' });
    t.match(gone, { status: 500, json: { code: 4, message: /hostname1/ } });
    t.equal((await reader.call('GET', 'timeZone')).status, 200);
  });
});

t.test('without a system bus every call fails at once', async (t) => {
  const bus = new SystemBus(`unix:path=${join(temporaryFolder(t), 'none')}`);
  for (let i = 0; i < 2; i++) {
    await t.rejects(bus.property(HOSTNAMED, 'Hostname'), { code: 'UNAVAILABLE' });
  }
});

t.test('the NTP server', async (t) => {
  const SYSTEMD: Target = {
    destination: 'org.freedesktop.systemd1',
    path: '/org/freedesktop/systemd1',
    interface: 'org.freedesktop.systemd1.Manager',
  };
  const services = await Services.start(t);
  await services.mock(TIMEDATED.destination, '--template', 'timedated');
  await services.mock(SYSTEMD.destination, '--template', 'systemd');
  const restarted = `ret = '/org/freedesktop/systemd1/job/1'`;
  await services.method(SYSTEMD, 'RestartUnit', 'ss', 'o', restarted);
  const dropIn = join(temporaryFolder(t), 'timesyncd.conf.d', '50-singulate.conf');
  const ntp = new LinuxNtp(services.bus, dropIn);

  t.test('is written for timesyncd, which is restarted', async (t) => {
    t.equal(await ntp.read(), '');
    await ntp.set('time.example.org');
    t.equal(await ntp.read(), 'time.example.org');
    t.match(await readFile(dropIn, 'utf8'), /^\[Time\]\nNTP=time\.example\.org\n$/m);
    t.equal((await stat(dropIn)).mode & 0o777, 0o644);
    t.equal(await services.calls(SYSTEMD, 'RestartUnit'), 1);
    t.equal(await services.calls(TIMEDATED, 'SetNTP'), 1);
  });

  t.test('stays the one it was if timesyncd cannot be restarted', async (t) => {
    await services.fails(SYSTEMD, 'RestartUnit', 'ss', 'o');
    await t.rejects(ntp.set('other.example.org'), { code: 'UNAVAILABLE', message: /RestartUnit/ });
    t.equal(await ntp.read(), 'time.example.org');
    t.equal(await services.bus.property(TIMEDATED, 'NTP'), true);
  });

  t.test('leaves the time service off if it was', async (t) => {
    await services.bus.call(TIMEDATED, 'SetNTP', 'bb', [false, false]);
    await t.rejects(ntp.set('other.example.org'), { code: 'UNAVAILABLE' });
    t.equal(await services.bus.property(TIMEDATED, 'NTP'), false);
  });
});
