/** Host name, time zone, NTP server and reboot of a Linux system, by the interface's own operations. */
import { readFileSync, writeFileSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Variant } from '@jellybrick/dbus-next';
import t from 'tap';
import { Chrony } from '../../src/platform/linux/chrony.js';
import { LinuxNtp } from '../../src/platform/linux/linux-ntp.js';
import { SystemBus, type Target } from '../../src/platform/linux/system-bus.js';
import { Timesyncd } from '../../src/platform/linux/timesyncd.js';
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
  const ntp = new LinuxNtp(services.bus, new Timesyncd(services.bus, dropIn));

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

  t.test('is written for chrony where that is the service that runs', async (t) => {
    const fake = new FakeChrony(temporaryFolder(t));
    const unit = '/org/freedesktop/systemd1/unit/chrony_2eservice';
    const systemd = { ...SYSTEMD, path: '/org/freedesktop/systemd1' };
    await services.method(
      systemd,
      'GetUnit',
      's',
      'o',
      [
        "if args[0] != 'chrony.service': raise dbus.exceptions.DBusException('not loaded', name='org.freedesktop.systemd1.NoSuchUnit')",
        `ret = '${unit}'`,
      ].join('\n'),
    );
    const mock = { ...SYSTEMD, interface: 'org.freedesktop.DBus.Mock' };
    await services.bus.call(mock, 'AddObject', 'ssa{sv}a(ssss)', [
      unit,
      'org.freedesktop.systemd1.Unit',
      { ActiveState: new Variant('s', 'active') },
      [],
    ]);
    const chrony = new LinuxNtp(services.bus, undefined, new Chrony(fake.options));

    await chrony.set('time.example.org');
    t.equal(await chrony.read(), 'time.example.org');
    t.match(fake.sources, /^server time\.example\.org iburst prefer$/m);
    t.same(fake.calls(), ['reload sources', '-c -N sources -a']);
    t.same(await chrony.figures(), { offset: -1.5, reach: 377 });
    const away = '^,?,time.example.org,1,6,0,900,0.001500000,0.0015,0.000100';
    fake.answer(away, 0);
    t.same(await chrony.figures(), { offset: 0, reach: 0 }, 'an old offset is not known any more');

    fake.answer('501 Not authorised', 1);
    await t.rejects(chrony.set('other.example.org'), {
      code: 'UNAVAILABLE',
      message: /chrony: 501 Not authorised/,
    });
    t.equal(await chrony.read(), 'time.example.org', 'as it was');
    fake.answer('', 0);
    await t.rejects(chrony.set('other.example.org'), {
      code: 'UNAVAILABLE',
      message: /does not read .*singulate\.sources/,
    });
    t.equal(await chrony.read(), 'time.example.org');
  });
});

/** A chronyc that notes how it is called. */
class FakeChrony {
  readonly options;
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    const command = join(folder, 'chronyc');
    this.options = {
      file: join(folder, 'sources.d/singulate.sources'),
      command,
      timeoutMs: 10_000,
    };
    writeFileSync(
      command,
      `#!/bin/sh\necho "$@" >> ${folder}/calls\ncat ${folder}/answer\nexit $(cat ${folder}/code)\n`,
      { mode: 0o755 },
    );
    this.answer(
      [
        '^,-,pool.example.net,2,6,17,12,0.1,0.1,0.01',
        '^,*,time.example.org,1,6,377,5,0.001500000,0.0015,0.000100',
      ].join('\n'),
      0,
    );
  }

  answer(text: string, code: number): void {
    writeFileSync(join(this.#folder, 'answer'), `${text}\n`);
    writeFileSync(join(this.#folder, 'code'), String(code));
  }

  calls(): string[] {
    return readFileSync(join(this.#folder, 'calls'), 'utf8').trim().split('\n');
  }

  get sources(): string {
    return readFileSync(this.options.file, 'utf8');
  }
}
