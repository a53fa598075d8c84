/** A real bus with mocks of the services of a device, for the processes of a test. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Test } from 'tap';
import { BusClient, type BusObject } from '../../src/reader-gateway/update/bus-client.js';
import { temporaryFolder, until } from '../gateway/reader.js';

/** That of the distribution: python-dbusmock is one of its packages. */
const PYTHON = '/usr/bin/python3';
const RAUC_TEMPLATE = fileURLToPath(new URL('../../../test/dbus/rauc.py', import.meta.url));

export const RAUC: BusObject = {
  destination: 'de.pengutronix.rauc',
  path: '/',
  interface: 'test.Rauc',
};
export const LOGIND_MOCK: BusObject = {
  destination: 'org.freedesktop.login1',
  path: '/org/freedesktop/login1',
  interface: 'org.freedesktop.DBus.Mock',
};

/** It is the system bus of this process and its children, too. */
export class TestBus {
  readonly client = new BusClient('the mock');
  readonly #children = new Set<ChildProcess>();

  static async start(t: Test): Promise<TestBus> {
    const path = join(temporaryFolder(t), 'bus');
    process.env.DBUS_SYSTEM_BUS_ADDRESS = `unix:path=${path}`;
    const bus = new TestBus();
    t.teardown(() => bus.stop());
    bus.#spawn('dbus-daemon', ['--session', '--nofork', `--address=unix:path=${path}`]);
    await until('the bus is there', () => existsSync(path));
    return bus;
  }

  /** @param parameters Of the template. */
  async mockRauc(parameters: object = {}): Promise<ChildProcess> {
    const child = this.#mock(RAUC_TEMPLATE, parameters);
    await this.#untilThere(RAUC.destination);
    return child;
  }

  async mockLogind(): Promise<void> {
    this.#mock('logind', {});
    await this.#untilThere(LOGIND_MOCK.destination);
  }

  async marks(): Promise<string[]> {
    const [marks] = await this.client.call(RAUC, 'Marks');
    return marks as string[];
  }

  /** How often the machine was told to reboot. */
  async reboots(): Promise<number> {
    const [calls] = await this.client.call(LOGIND_MOCK, 'GetCalls');
    return (calls as [bigint, string][]).filter(([, method]) => method === 'Reboot').length;
  }

  stop(): void {
    this.client.close();
    for (const child of this.#children) child.kill('SIGKILL');
  }

  #mock(template: string, parameters: object): ChildProcess {
    const args = ['-m', 'dbusmock', '--system', '--template', template];
    return this.#spawn(PYTHON, [...args, '--parameters', JSON.stringify(parameters)]);
  }

  #spawn(command: string, args: string[]): ChildProcess {
    const stdio = process.env.TEST_LOG === undefined ? 'ignore' : 'inherit';
    const child = spawn(command, args, { stdio: ['ignore', stdio, stdio] });
    this.#children.add(child);
    return child;
  }

  async #untilThere(name: string): Promise<void> {
    const daemon = {
      destination: 'org.freedesktop.DBus',
      path: '/org/freedesktop/DBus',
      interface: 'org.freedesktop.DBus',
    };
    for (const end = Date.now() + 20_000; ; ) {
      const [there] = await this.client.call(daemon, 'NameHasOwner', 's', [name]);
      if (there === true) return;
      if (Date.now() > end) throw new Error(`${name} does not come`);
    }
  }
}
