/** The process of a reader-gateway, as a supervisor has it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Test } from 'tap';
import { PACKAGE_ROOT } from '../../src/shared/package-info.js';
import { failOnLongTurns } from '../e2e/fail-on-long-turns.js';
import { longTurnsIn } from '../e2e/long-turns.js';
import { prepareState } from '../shared/prepared-state.js';
import { type Answer, basic, radioTarget, send, until } from './reader.js';

/** As the command starts it. */
const MAIN = join(PACKAGE_ROOT, 'dist/bundle/lib/reader-gateway.js');
const PASSWORD = 'a password for tests';

export class GatewayProcess {
  readonly urls: string[] = [];
  readonly child: ChildProcess;

  /** Ends with the test, which fails if its event loop stood. */
  static async start(t: Test, stateDir: string, ...more: string[]): Promise<GatewayProcess> {
    await prepareState(stateDir, PASSWORD);
    return new GatewayProcess(t, stateDir, more);
  }

  private constructor(t: Test, stateDir: string, more: string[]) {
    const args = ['--state-dir', stateDir, '--rest-host', '127.0.0.1', '--rest-port', '0'];
    const main = [MAIN, ...args, '--radio', radioTarget(stateDir), ...more];
    this.child = spawn(process.execPath, main, {
      env: { ...process.env, SINGULATE_PASSWORD: PASSWORD },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    let log = '';
    this.child.stdout?.on('data', (chunk) => {
      log += chunk;
    });
    this.child.stderr?.resume();
    const closed = once(this.child, 'close');
    t.teardown(async () => {
      this.child.kill();
      await closed;
      failOnLongTurns(t, longTurnsIn(log));
    });
    // biome-ignore lint/suspicious/noExplicitAny: messages to a supervisor
    this.child.on('message', (message: any) => {
      if (message.type === 'ready') this.urls.push(message.restUrl);
    });
  }

  /** After the given number of starts of the service, on a machine that does other things as well. */
  async ready(starts: number): Promise<void> {
    await until(`start ${starts}`, () => this.urls.length === starts, 60_000);
  }

  async call(method: string, path: string, body?: unknown): Promise<Answer> {
    const headers = { authorization: `Bearer ${await this.token()}` };
    return send(this.restUrl, method, `/cloud/${path}`, { body, headers });
  }

  get restUrl(): string {
    return this.urls.at(-1) ?? '';
  }

  async token(): Promise<string> {
    const login = { headers: basic('admin', PASSWORD) };
    return (await send(this.restUrl, 'GET', '/cloud/localRestLogin', login)).json.message;
  }
}
