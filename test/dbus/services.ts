/** A D-Bus daemon of the test's own, with mocks of system services on it (python-dbusmock). */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Variant } from '@jellybrick/dbus-next';
import type { Test } from 'tap';
import { plain, SystemBus, type Target } from '../../src/platform/linux/system-bus.js';
import { temporaryFolder } from '../gateway/reader.js';

/** Debian's own: the package is for it. */
const PYTHON = '/usr/bin/python3';
const MOCK = 'org.freedesktop.DBus.Mock';
const DAEMON: Target = {
  destination: 'org.freedesktop.DBus',
  path: '/org/freedesktop/DBus',
  interface: 'org.freedesktop.DBus',
};

export class Services {
  readonly bus: SystemBus;
  readonly #children: ChildProcess[] = [];
  #daemon: ChildProcess | undefined;

  private constructor(readonly address: string) {
    this.bus = new SystemBus(address, 5000);
  }

  static async start(t: Test): Promise<Services> {
    const address = `unix:path=${join(temporaryFolder(t), 'bus')}`;
    const services = new Services(address);
    services.#startBus();
    t.teardown(() => {
      services.bus.close();
      for (const child of services.#children) child.kill('SIGKILL');
    });
    await eventually('the bus', () => services.bus.call(DAEMON, 'GetId'));
    return services;
  }

  #startBus(): void {
    const args = ['--session', '--nofork', '--nopidfile', `--address=${this.address}`];
    this.#daemon = spawn('dbus-daemon', args, { stdio: 'ignore' });
    this.#children.push(this.#daemon);
  }

  /** All connections are cut; mocks do not outlive it. */
  async restartBus(): Promise<void> {
    const before = this.#daemon;
    const gone = new Promise((resolve) => before?.once('exit', resolve));
    before?.kill('SIGTERM');
    await gone;
    this.#startBus();
    await eventually('the bus', () => this.bus.call(DAEMON, 'GetId'));
  }

  /** @param args Of python3 -m dbusmock. @param name On the bus. */
  async mock(name: string, ...args: string[]): Promise<ChildProcess> {
    const child = spawn(PYTHON, ['-m', 'dbusmock', ...args], {
      env: { ...process.env, DBUS_SYSTEM_BUS_ADDRESS: this.address },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    this.#children.push(child);
    await eventually(name, async () => {
      const owned = await this.bus.call(DAEMON, 'NameHasOwner', 's', [name]);
      if (!owned) throw new Error('not there yet');
    });
    return child;
  }

  /** What a method of a mock does, in Python. */
  method(target: Target, name: string, takes: string, gives: string, code = ''): Promise<unknown> {
    const mock = { ...target, interface: MOCK };
    const body = [target.interface, name, takes, gives, code];
    return this.bus.call(mock, 'AddMethod', 'sssss', body);
  }

  fails(target: Target, name: string, takes: string, gives = ''): Promise<unknown> {
    const error = `raise dbus.exceptions.DBusException('out of order', name='org.example.Broken')`;
    return this.method(target, name, takes, gives, error);
  }

  /** @param properties Signature and value of each. */
  properties(
    target: Target,
    properties: Record<string, readonly [string, unknown]>,
  ): Promise<unknown> {
    const mock = { ...target, interface: MOCK };
    const variants = Object.entries(properties).map(([name, [signature, value]]) => [
      name,
      new Variant(signature, value),
    ]);
    const body = [target.interface, Object.fromEntries(variants)];
    return this.bus.call(mock, 'AddProperties', 'sa{sv}', body);
  }

  /** How often a method of a mock was called. */
  async calls(target: Target, name: string): Promise<number> {
    return (await this.argumentsOf(target, name)).length;
  }

  /** What a method of a mock was called with, each time. */
  async argumentsOf(target: Target, name: string): Promise<unknown[][]> {
    const mock = { ...target, interface: MOCK };
    const calls = plain(await this.bus.call(mock, 'GetMethodCalls', 's', [name]));
    return (calls as [bigint, unknown[]][]).map(([, values]) => values);
  }
}

export async function eventually(what: string, tryOut: () => Promise<unknown>): Promise<void> {
  const end = Date.now() + 15_000;
  for (;;) {
    try {
      await tryOut();
      return;
    } catch (error) {
      if (Date.now() > end) throw new Error(`${what} did not come: ${error}`);
      await sleep(50);
    }
  }
}

const RAUC_TEMPLATE = fileURLToPath(new URL('../../../test/dbus/rauc.py', import.meta.url));
export const RAUC: Target = {
  destination: 'de.pengutronix.rauc',
  path: '/',
  interface: 'de.pengutronix.rauc.Installer',
};
/** What the mock lets a test see and do. */
export const RAUC_MOCK: Target = { ...RAUC, interface: 'test.Rauc' };

/** @param parameters Of the template. */
export function mockRauc(services: Services, parameters: object = {}): Promise<ChildProcess> {
  const more = [
    '--system',
    '--template',
    RAUC_TEMPLATE,
    '--parameters',
    JSON.stringify(parameters),
  ];
  return services.mock(RAUC.destination, ...more);
}

export const HOSTNAMED: Target = {
  destination: 'org.freedesktop.hostname1',
  path: '/org/freedesktop/hostname1',
  interface: 'org.freedesktop.hostname1',
};
export const TIMEDATED: Target = {
  destination: 'org.freedesktop.timedate1',
  path: '/org/freedesktop/timedate1',
  interface: 'org.freedesktop.timedate1',
};
export const LOGIND: Target = {
  destination: 'org.freedesktop.login1',
  path: '/org/freedesktop/login1',
  interface: 'org.freedesktop.login1.Manager',
};

export async function mockHostnamed(services: Services, name: string): Promise<ChildProcess> {
  const { destination, path } = HOSTNAMED;
  const child = await services.mock(destination, '--system', destination, path, destination);
  await services.properties(HOSTNAMED, { StaticHostname: ['s', name], Hostname: ['s', name] });
  await services.method(
    HOSTNAMED,
    'SetStaticHostname',
    'sb',
    '',
    `self.Set('${destination}', 'StaticHostname', args[0])`,
  );
  return child;
}
