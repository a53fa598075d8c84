/** The radio packet log of a service of its own: files, switching, levels, and what replays. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { status as GrpcStatus } from '@grpc/grpc-js';
import t, { type Test } from 'tap';
import { RadioClient } from '../../src/contract/client.js';
import { LogLevel } from '../../src/contract/messages.js';
import { counterToNumber } from '../../src/contract/time.js';
import { checkPacketLog } from '../../src/radio-control/packet-log/check.js';
import { loadRecording } from '../../src/radio-control/replay/load-recording.js';
import { run, runAlone } from '../cli/command.js';
import { startRadioControl } from '../oem/radio-control.js';

const FILE = 'radio_packets.ndjson';

function folder(t: Test): string {
  const made = mkdtempSync(join(tmpdir(), 'logs-'));
  t.teardown(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

async function radio(t: Test, args: string[]) {
  const service = await startRadioControl(t, args);
  const client = new RadioClient(service.target);
  t.teardown(() => client.close());
  return { service, client };
}

async function until(check: () => boolean, what: string): Promise<void> {
  for (let i = 0; i < 500; i++) {
    if (check()) return;
    await sleep(20);
  }
  throw new Error(`waited in vain until ${what}`);
}

const filesOf = (logs: string) => readdirSync(logs).filter((name) => name.startsWith(FILE));

/** Nothing for a file that has just got another name. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** The whole log, the oldest line first. */
function logText(logs: string): string {
  const numbers = filesOf(logs).map((name) => Number(name.slice(FILE.length + 1)));
  return numbers
    .sort((a, b) => b - a)
    .map((number) => textOf(join(logs, number === 0 ? FILE : `${FILE}.${number}`)))
    .join('');
}

const linesOf = (text: string) => text.trimEnd().split('\n');

async function* each(lines: string[]): AsyncGenerator<string> {
  yield* lines;
}

t.test(
  'switched on and off while the radio reads; every frame agrees; its reads replay',
  async (t) => {
    const logs = folder(t);
    const { service, client } = await radio(t, ['--log-dir', logs]);
    await client.startInventory({ plan: {}, owner: 'test' });
    await until(() => readdirSync(logs).includes('radio_control.info.log'), 'its own log is there');
    t.same(filesOf(logs), [], 'no packets are logged before');
    const before = counterToNumber((await client.getStatus()).counters?.reads);
    await client.setPacketLog({ on: true });
    await client.setPacketLog({ on: true });
    await until(
      () => filesOf(logs).length > 0 && logText(logs).split('"EPC"').length > 100,
      'reads',
    );
    await client.setPacketLog({ on: false });
    const status = await client.getStatus();
    const reads = counterToNumber(status.counters?.reads) - before;
    await until(() => logText(logs).endsWith('\n'), 'the last lines are there');
    let text = logText(logs);
    await until(() => {
      const last = text;
      text = logText(logs);
      return last === text;
    }, 'nothing more comes');

    const lines = linesOf(text);
    const [begin, ...packets] = lines.map((line) => JSON.parse(line));
    t.match(begin, { direction: 'log', name: 'begin', fields: { format: 1, module: 'virtual' } });
    for (const packet of packets) {
      t.ok(packet.antenna >= 1 && packet.antenna <= 4);
      t.ok(packet.frequencyKhz > 860_000 || packet.name === 'off');
      if (packets.indexOf(packet) > 50) break;
    }
    const times = packets.map(({ timeNs }) => BigInt(timeNs));
    t.ok(
      times.every((time, i) => i === 0 || time >= (times[i - 1] as bigint)),
      'in order of time',
    );
    const report = await checkPacketLog(each(lines));
    t.same(report.problems, []);
    t.equal(report.lost, 0);
    for (const name of ['reader Query', 'reader QueryRep', 'reader ACK', 'tag RN16', 'tag EPC']) {
      t.ok((report.counts[name] ?? 0) > 1, name);
    }

    const file = join(logs, 'fetched.ndjson');
    const recording = join(logs, 'reads.csv');
    writeFileSync(file, text);
    const cli = (...args: string[]) => run('packet-log', ...args);
    const made = await runAlone('packet-log', file, '--recording', recording);
    t.equal(made.code, 0, made.stderr);
    t.match(made.stdout, /\d+ frames agree with their fields, 0 do not/);
    const { reads: recorded, antennas } = await loadRecording(recording);
    // Round by round the log was switched, so it has a round less or more of reads.
    t.ok(recorded >= 99 && recorded <= reads, `${recorded} of ${reads} reads`);
    t.ok(antennas.length >= 1);
    t.match(
      await cli(file, '--recording', recording),
      { code: 2 },
      'a file that is there is not replaced',
    );
    writeFileSync(file, text.replace('"q":', '"q":1'));
    t.match(await cli(file), { code: 1 }, 'what does not agree is an error');
    t.match(await cli(join(logs, 'missing')), { code: 2 });

    service.kill('SIGTERM');
    await service.exit;
  },
);

t.test(
  'the files are bounded, and a radio that is faster than the log says what is lost',
  async (t) => {
    const logs = folder(t);
    const { client } = await radio(t, [
      ...['--log-dir', logs, '--packet-log-mb', '1', '--fast', '--scenario', 'retail-shelf'],
    ]);
    await client.setPacketLog({ on: true });
    await client.startInventory({ plan: {}, owner: 'test' });
    const stream = client.streamReads();
    stream.on('error', () => {});
    stream.on('data', () => {});
    t.teardown(() => stream.cancel());
    const loss = /"direction":"log","name":"lost","fields":\{"packets":[1-9]/;
    await until(() => loss.test(logText(logs)), 'a loss is told');
    await until(() => filesOf(logs).length === 4, 'all files are full');
    await client.stopInventory();
    // While they get other names a number is missing.
    const all = `${FILE} ${FILE}.1 ${FILE}.2 ${FILE}.3`;
    await until(() => filesOf(logs).sort().join(' ') === all, 'four files');
    const sizes = filesOf(logs).map((name) => Buffer.byteLength(textOf(join(logs, name))));
    t.ok(
      sizes.every((size) => size <= 2 ** 18),
      `${sizes}`,
    );
  },
);

t.test('a level holds at once; a wrong one is refused', async (t) => {
  const logs = folder(t);
  const { client } = await radio(t, ['--log-dir', logs]);
  const info = () => textOf(join(logs, 'radio_control.info.log'));
  const turn = async (owner: string) => {
    await client.startInventory({ plan: {}, owner });
    await client.stopInventory();
  };
  await turn('first');
  await client.setLogLevel({ level: LogLevel.LOG_LEVEL_ERROR });
  await turn('second');
  await client.setLogLevel({ level: LogLevel.LOG_LEVEL_DEBUG });
  await turn('third');
  await until(() => /"owner":"third"/.test(info()), 'the third is there');
  t.match(info(), /"owner":"first"/);
  t.notMatch(info(), /"owner":"second"/);
  for (const level of [LogLevel.LOG_LEVEL_UNSPECIFIED, 99 as LogLevel]) {
    await t.rejects(client.setLogLevel({ level }), {
      code: GrpcStatus.INVALID_ARGUMENT,
      details: /level: \d+ given; allowed: LOG_LEVEL_OFF, .*LOG_LEVEL_DEBUG/,
    });
  }
});

t.test('what cannot log packets says so', async (t) => {
  const { client } = await radio(t, []);
  await t.rejects(client.setPacketLog({ on: true }), {
    code: GrpcStatus.FAILED_PRECONDITION,
    details: /without a folder for logs/,
  });
  await client.setPacketLog({ on: false });
  const logs = folder(t);
  const reads = join(logs, 'reads.csv');
  writeFileSync(
    reads,
    'time_s,antenna,epc,rssi_dbm,phase_deg,frequency_mhz\n0,1,3034,-50,0,915.25\n',
  );
  const replay = await radio(t, ['--log-dir', logs, '--replay', reads]);
  await t.rejects(replay.client.setPacketLog({ on: true }), {
    code: GrpcStatus.FAILED_PRECONDITION,
    details: /this radio module has no packet log/,
  });
  t.same(filesOf(logs), []);
});

t.test('the last words of a service that is ended are in its log', async (t) => {
  const logs = folder(t);
  const { service, client } = await radio(t, ['--log-dir', logs]);
  await client.startInventory({ plan: {}, owner: 'the end' });
  service.kill('SIGTERM');
  await service.exit;
  const text = readFileSync(join(logs, 'radio_control.info.log'), 'utf8');
  t.match(text, /inventory ended/);
  t.ok(linesOf(text).every((line) => JSON.parse(line).component === 'radio_control'));
});
