/** A package in a clean Debian: installed, used, watched, removed and purged. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { run } from '../steps.mjs';
import { Container } from './container.mjs';
import { filesIn, newPaths } from './files.mjs';

const PROBE = join(import.meta.dirname, 'first-event.mjs');
const SERVICES = {
  'singulate-radio-control': { user: 'singulate-radio' },
  'singulate-reader-gateway': { user: 'singulate-gateway' },
};
/** The disk need not have it all at once: the system is thrown away. */
const APT = ['apt-get', '--yes', '--option=DPkg::Options::=--force-unsafe-io'];
const NAMES = Object.keys(SERVICES);
/** `systemd-analyze security` gives 0 (nothing is open) to 10. Both have 1.8. */
const MOST_EXPOSURE = 2;
/** WatchdogSec, the time to end it, and the start; on a slow machine. */
const WATCHDOG_MS = 90_000;
/** TimeoutStopSec. */
const STOP_MS = 10_000;

const LEFT_BY_REMOVE = [
  /^etc\/singulate(\/(radio-control|reader-gateway)\.jsonc)?$/,
  /^var\/lib\/singulate(\/|$)/,
  /^var\/log\/singulate(\/|$)/,
];

/** @param note (name, what is wrong). */
export async function useInstalled(root, note) {
  const before = filesIn(root);
  const debian = await Container.boot(root);
  try {
    await debian.must(...APT, 'install', '--no-install-recommends', '/root/singulate.deb');
    note('apt installs it with what it depends on');
    const status = await allActive(debian);
    note('systemd has both services running', status);
    for (const [name, { user }] of Object.entries(SERVICES)) {
      note(`${name} runs without privileges`, await privilegesOf(debian, name, user));
      note(`${name} is exposed by at most ${MOST_EXPOSURE} of 10`, await exposure(debian, name));
    }
    note('others on the machine cannot use the radio', await outsiders(debian));
    note('a tag event arrives over REST', await firstEvent(debian));
    note('the first password is in no log', await passwordInLogs(debian));
    note('services that hang are started again by the watchdog', await hang(debian));
    note('and read on', await firstEvent(debian));
    note('a wrong setting ends in one line that names it', await wrongSetting(debian));
    note('the command is there', await command(debian));
    note('both stop when they are told', await stop(debian));
    await debian.must('systemctl', 'start', ...NAMES);
    await debian.must(...APT, 'install', '--reinstall', '/root/singulate.deb');
    note('after an upgrade both run, with the settings and the state they had', [
      ...(await allActive(debian)),
      ...(await firstEvent(debian)),
    ]);

    await debian.must(...APT, 'remove', 'singulate');
    const left = newPaths(root, before, filesIn(root));
    note(
      'removal leaves settings, state and logs, and nothing else',
      left.length > 5
        ? left.filter((path) => !LEFT_BY_REMOVE.some((pattern) => pattern.test(path)))
        : ['no state is left'],
    );
    await debian.must(...APT, 'purge', 'singulate');
    note('a purge leaves nothing', newPaths(root, before, filesIn(root)));
  } finally {
    await debian.close();
  }
}

/** Waits for both. @returns What is wrong. */
async function allActive(debian, longestMs = 60_000) {
  const deadline = Date.now() + longestMs;
  for (;;) {
    const { code } = await debian.run('systemctl', 'is-active', '--quiet', ...NAMES);
    const each = await Promise.all(
      NAMES.map((name) => debian.run('systemctl', 'is-active', '--quiet', name)),
    );
    if (code === 0 && each.every((answer) => answer.code === 0)) return [];
    if (Date.now() > deadline) {
      return [
        (await debian.run('journalctl', '--no-pager', '--lines=40', '--unit=singulate*')).output,
      ];
    }
    await sleep(200);
  }
}

async function property(debian, name, key) {
  return (await debian.must('systemctl', 'show', `--property=${key}`, '--value', name)).trim();
}

async function privilegesOf(debian, name, user) {
  const pid = await property(debian, name, 'MainPID');
  const status = await debian.must('cat', `/proc/${pid}/status`);
  const uid = (await debian.must('id', '--user', user)).trim();
  return [
    [`Uid:\t${uid}\t${uid}\t${uid}\t${uid}`, uid !== '0'],
    ['CapEff:\t0000000000000000', true],
    ['CapBnd:\t0000000000000000', true],
    ['NoNewPrivs:\t1', true],
    ['Seccomp:\t2', true],
  ]
    .filter(([line, right]) => !right || !status.includes(`${line}\n`))
    .map(([line]) => `${line} is not in its status:\n${status}`);
}

async function exposure(debian, name) {
  const { code, output } = await debian.run(
    'systemd-analyze',
    ...['security', '--no-pager', '--offline=true', `--threshold=${MOST_EXPOSURE * 10}`],
    `/usr/lib/systemd/system/${name}.service`,
  );
  const overall = /Overall exposure level for [^\n]+/.exec(output)?.[0];
  console.log(`  ${overall}`);
  return code === 0 && overall !== undefined ? [] : [output];
}

async function outsiders(debian) {
  const socket = '/run/singulate/radio.sock';
  const wrong = [];
  const mode = (await debian.must('stat', '--format=%a %U %G', socket)).trim();
  if (mode !== '660 singulate-radio singulate') wrong.push(`the socket is ${mode}`);
  for (const path of [socket, '/var/lib/singulate/auth.json', '/var/log/singulate/.']) {
    const as = ['--reuid=nobody', '--regid=nogroup', '--clear-groups'];
    const { code } = await debian.run('setpriv', ...as, 'test', '-e', path);
    if (code === 0) wrong.push(`nobody sees ${path}`);
  }
  return wrong;
}

/** By this machine's Node.js, in the network of the container. */
async function firstEvent(debian) {
  const password = `/proc/${debian.pid}/root/var/lib/singulate/initial-password`;
  const network = `--net=/proc/${debian.pid}/ns/net`;
  const args = [network, process.execPath, PROBE, password];
  const { code, output } = await run('nsenter', args, { timeout: 120_000 });
  if (code !== 0) return [output];
  const { type, data } = JSON.parse(output);
  return typeof data?.idHex === 'string' ? [] : [`${type} is no tag event: ${output}`];
}

async function passwordInLogs(debian) {
  const password = (await debian.must('cat', '/var/lib/singulate/initial-password')).trim();
  if (password.length < 8) return [`${password.length} characters are no password`];
  const journal = await debian.must('journalctl', '--no-pager', '--output=cat');
  const files = await debian.must('grep', '--recursive', '', '/var/log/singulate');
  return journal.includes(password) || files.includes(password) ? ['it is in a log'] : [];
}

/** Both at once: it takes the time of the watchdog. */
async function hang(debian) {
  const stopped = await Promise.all(
    NAMES.map(async (name) => {
      const pid = await property(debian, name, 'MainPID');
      await debian.must('systemctl', 'kill', '--signal=STOP', '--kill-whom=main', name);
      return { name, pid };
    }),
  );
  const deadline = Date.now() + WATCHDOG_MS;
  const wrong = [];
  for (const { name, pid } of stopped) {
    for (;;) {
      const now = await property(debian, name, 'MainPID');
      const restarts = Number(await property(debian, name, 'NRestarts'));
      if (now !== pid && now !== '0' && restarts === 1) break;
      if (Date.now() > deadline) {
        wrong.push(`${name}: process ${now} instead of ${pid}, ${restarts} restarts`);
        break;
      }
      await sleep(500);
    }
    const journal = await debian.must('journalctl', '--no-pager', '--output=cat', `--unit=${name}`);
    if (!/Watchdog timeout/.test(journal)) wrong.push(`${name}: no watchdog in the journal`);
  }
  return [...wrong, ...(await allActive(debian))];
}

async function wrongSetting(debian) {
  const node = '/usr/lib/singulate/bin/node';
  const script = '/usr/lib/singulate/dist/bundle/lib/radio-control.js';
  await debian.must('sh', '-c', `echo '{"radoi": "virtual"}' > /tmp/wrong.jsonc`);
  const args = [script, '--config', '/tmp/wrong.jsonc', '--socket', '/tmp/radio.sock'];
  const { code, output } = await debian.run(node, ...args);
  return code === 2 && output.includes('/tmp/wrong.jsonc') && output.includes('radoi')
    ? []
    : [`exit code ${code}: ${output}`];
}

async function command(debian) {
  const help = await debian.run('singulate', '--help');
  const scenarios = await debian.run('singulate', 'scenarios');
  return [
    ...(help.code === 0 && help.output.includes('--state-dir') ? [] : [help.output]),
    ...(scenarios.code === 0 && scenarios.output.includes('dock-door') ? [] : [scenarios.output]),
  ];
}

async function stop(debian) {
  const started = Date.now();
  await debian.must('systemctl', 'stop', ...NAMES);
  const took = Date.now() - started;
  const wrong = took > STOP_MS ? [`it took ${took} ms`] : [];
  for (const name of NAMES) {
    const result = await property(debian, name, 'Result');
    if (result !== 'success') wrong.push(`${name}: ${result}`);
  }
  return wrong;
}
