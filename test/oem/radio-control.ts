/** A radio-control process of its own, and programs that use it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Test } from 'tap';
import { PACKAGE_ROOT } from '../../src/shared/package-info.js';
import { failOnLongTurns } from '../e2e/fail-on-long-turns.js';
import { longTurnsIn } from '../e2e/long-turns.js';

export interface RadioControlProcess {
  target: string;
  /** Where its socket is; goes with the test. */
  folder: string;
  pid: number;
  /** Log lines so far. */
  log(): string;
  /** What it printed on standard error so far. */
  stderr(): string;
  /** What it told its supervisor so far. */
  messages: { type: string; [key: string]: unknown }[];
  kill(signal: NodeJS.Signals): void;
  exit: Promise<number | null>;
}

/** Starts it and waits until it is ready. Ends with the test. */
export async function startRadioControl(
  t: Test,
  args: string[] = [],
): Promise<RadioControlProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'singulate-radio-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return startRadioControlAt(t, join(folder, 'radio.sock'), args);
}

/** Starts radio-control on a socket of the caller: for a second start. */
export async function startRadioControlAt(
  t: Test,
  socket: string,
  args: string[],
): Promise<RadioControlProcess> {
  const child = spawn(
    process.execPath,
    [
      '--force-node-api-uncaught-exceptions-policy=true',
      join(PACKAGE_ROOT, 'dist/bundle/lib/radio-control.js'),
      ...['--socket', socket, ...args],
    ],
    { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] },
  );
  const exit = once(child, 'exit').then(([code]) => code as number | null);
  t.teardown(async () => {
    child.kill('SIGTERM');
    await exit;
    failOnLongTurns(t, longTurnsIn(log));
  });
  let stderr = '';
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  let log = '';
  child.stdout?.on('data', (chunk) => {
    log += chunk;
  });
  const messages: RadioControlProcess['messages'] = [];
  const ready = new Promise<void>((resolve, reject) => {
    child.on('message', (message) => {
      messages.push(message as RadioControlProcess['messages'][number]);
      resolve();
    });
    exit.then((code) => reject(new Error(`radio-control ended with ${code}: ${stderr}`)));
  });
  await ready;
  return {
    target: `unix:${socket}`,
    folder: dirname(socket),
    pid: child.pid as number,
    log: () => log,
    stderr: () => stderr,
    messages,
    kill: (signal) => child.kill(signal),
    exit,
  };
}

/** Runs a program until it has printed ten tags, as the examples in docs do. */
export async function expectTags(
  t: Test,
  command: string,
  args: string[],
  env: NodeJS.ProcessEnv = {},
): Promise<void> {
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  t.teardown(() => child.kill('SIGKILL'));
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const lines: string[] = [];
  const timer = setTimeout(() => child.kill('SIGKILL'), 20_000);
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    if (lines.length === 10) break;
  }
  clearTimeout(timer);
  t.equal(lines.length, 10, stderr);
  for (const line of lines) {
    t.match(line, /^[0-9a-f]{24} {2}antenna [1-4] {2}-\d+\.\d dBm {2}x\d+$/);
  }
  t.equal(stderr, '', 'no error is printed');
}
