/**
 * What systemd is told. Its own systemd-notify is in the way of the test of the packages, where a
 * real systemd listens; here a program of that name writes down how it is called.
 */
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { Logger } from '../../src/shared/log.js';
import { ServiceManager } from '../../src/shared/service-manager.js';
import { temporaryFolder, until } from '../gateway/reader.js';

function systemd(t: Test, { exitCode = 0 } = {}) {
  const folder = temporaryFolder(t);
  const file = join(folder, 'calls');
  const program = join(folder, 'systemd-notify');
  writeFileSync(program, `#!/bin/sh\necho "$NOTIFY_SOCKET $*" >> ${file}\nexit ${exitCode}\n`);
  chmodSync(program, 0o755);
  const { PATH } = process.env;
  process.env.PATH = `${folder}:${PATH}`;
  t.teardown(() => {
    process.env.PATH = PATH;
  });
  const calls = () => (existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : []);
  const logged: string[] = [];
  const log = {
    warn: (_: object, text: string) => logged.push(text),
    error: (fields: { stuck: string }, text: string) => logged.push(`${text}: ${fields.stuck}`),
  } as unknown as Logger;
  return { calls, log, logged };
}

t.test('it is told readiness and the end, in this order, each with one line', async (t) => {
  const { calls, log } = systemd(t);
  const manager = new ServiceManager(log, { NOTIFY_SOCKET: '@abstract' }, false);
  const ready = manager.ready('REST on\nhttps://x');
  await manager.stopping();
  await ready;
  t.same(calls(), [
    '@abstract READY=1 STATUS=REST on https://x',
    '@abstract STOPPING=1 STATUS=stopping',
  ]);
});

t.test('nobody is told without a socket, or under the supervisor', async (t) => {
  const { calls, log } = systemd(t);
  await new ServiceManager(log, {}, false).ready('a');
  const env: NodeJS.ProcessEnv = { NOTIFY_SOCKET: '/run/x', WATCHDOG_USEC: '30000' };
  const supervised = new ServiceManager(log, env, true);
  supervised.watch();
  await supervised.ready('b');
  await supervised.stopping();
  t.same(calls(), []);
  t.same(env, {}, 'programs of the service do not get them either');
});

t.test('pings come while the service is well, and end when it knows to be stuck', async (t) => {
  const { calls, log, logged } = systemd(t);
  let stuck = '';
  const env = { NOTIFY_SOCKET: '/run/x', WATCHDOG_USEC: '60000', WATCHDOG_PID: `${process.pid}` };
  const manager = new ServiceManager(log, env, false);
  manager.watch(() => stuck);
  await until('three pings', () => calls().length >= 3);
  stuck = 'the thread does not move';
  await until('it is logged', () => logged.length > 0);
  // A ping that was on its way may still arrive.
  await manager.ready('after it');
  const before = calls().length;
  await manager.ready('later');
  t.equal(calls().length, before + 1);
  t.same(new Set(calls().slice(0, 3)), new Set(['/run/x WATCHDOG=1']));
  t.same(logged, ['the watchdog gets no more pings: the thread does not move']);
  stuck = '';
  await until('pings again', () => calls().at(-1) === '/run/x WATCHDOG=1');
  await manager.stopping();
});

t.test('a watchdog of another process is not fed', async (t) => {
  const { calls, log } = systemd(t);
  const env = { NOTIFY_SOCKET: '/run/x', WATCHDOG_USEC: '3000', WATCHDOG_PID: '1' };
  const manager = new ServiceManager(log, env, false);
  manager.watch();
  await manager.ready('here');
  await manager.stopping();
  t.same(
    calls().filter((call) => call.includes('WATCHDOG')),
    [],
  );
});

t.test('a service whose manager does not listen goes on, and says so once', async (t) => {
  const { calls, log, logged } = systemd(t, { exitCode: 1 });
  const manager = new ServiceManager(log, { NOTIFY_SOCKET: '/run/x' }, false);
  await manager.ready('a');
  await manager.stopping();
  t.equal(calls().length, 2);
  t.same(logged, ['systemd cannot be told how the service is']);
});
