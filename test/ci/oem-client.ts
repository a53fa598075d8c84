/**
 * What every example client must do, whatever its language: on the real service, as a stranger
 * would run it.
 */
import { execFileSync, type SpawnSyncOptions, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Test } from 'tap';
import { freePort } from '../../bench/delivery/free-port.js';
import { RadioClient } from '../../src/contract/client.js';
import { RadioState } from '../../src/contract/messages.js';
import { counterToNumber } from '../../src/contract/time.js';
import { PACKAGE_ROOT } from '../../src/shared/package-info.js';
import { until } from '../gateway/reader.js';
import { startRadioControlAt } from '../oem/radio-control.js';
import { CutLine } from './cut-line.js';

/** How to run it; arguments follow. */
export interface Example {
  command: string;
  args: string[];
  env?: NodeJS.ProcessEnv;
}

const OLD_EPC = '3036451fd40c0e4000000001';
/** Of another length: its PC must change as well. */
const NEW_EPC = 'e2001122334455667788';

/** Three tags that stay in front of one antenna. */
const SCENARIO = {
  description: 'Three tags on a shelf',
  antennas: [{ port: 1, position: [0, 0, 1] }],
  groups: [
    {
      position: [0, 1, 1],
      tags: [
        {
          epcs: [OLD_EPC, '3036451fd40c0e4000000002', '3036451fd40c0e4000000003'],
          box: { center: [0, 0, 0], size: [0.2, 0.2, 0.2] },
        },
      ],
    },
  ],
};
const LINE = /^(\d+) {2}([0-9a-f]+) {2}antenna 1 {2}-\d+\.\d dBm$/;

export async function expectOfClient(t: Test, example: Example): Promise<void> {
  // Most of it is waiting: side by side.
  t.jobs = 4;
  t.test(
    'it prints tags, writes an EPC, and goes on after a restart of the service',
    { buffered: true },
    async (t) => {
      const folder = shelf(t);
      const first = await service(t, folder);
      const client = runExample(t, example, ['--write', `${OLD_EPC}=${NEW_EPC}`, first.target]);
      await client.says(`write: ${OLD_EPC} is ${NEW_EPC} now (antenna 1, `);
      await client.prints('the tag with its new EPC', ({ epc }) => epc === NEW_EPC);

      first.kill('SIGKILL');
      await first.exit;
      const second = await service(t, folder);
      await client.says('reads: the log is new, from 1 on');
      const before = client.reads.length;
      await until('tags are printed again', () => client.reads.length >= before + 6);

      t.equal(await client.end(), 0, client.stderr());
      await expectAsItWas(t, second.target);
      const logs = bySequence(client.reads);
      t.equal(logs.length, 2, 'one log for each start of the service');
      t.equal(logs[0]?.[0]?.sequence, 1, 'control came after the stream, so nothing was missed');
      t.equal(logs[1]?.[0]?.sequence, 1, 'what was read while it was away is there as well');
      t.same(
        client.others().filter((line) => !/^(reads|control|write): /.test(line)),
        [],
        'every line is for people',
      );
    },
  );

  t.test(
    'it goes on after its last read when only the connection broke',
    { buffered: true },
    async (t) => {
      const folder = shelf(t);
      const radio = await service(t, folder);
      const line = await CutLine.open(t, join(folder, 'line.sock'), join(folder, 'radio.sock'));
      const client = runExample(t, example, [`unix:${join(folder, 'line.sock')}`]);
      await until('tags are printed', () => client.reads.length >= 3);

      await line.cut();
      const watch = new RadioClient(radio.target);
      t.teardown(() => watch.close());
      const written = async () =>
        counterToNumber((await watch.getStatistics()).readLog?.nextSequence);
      const atCut = await written();
      await until('tags are read meanwhile', async () => (await written()) >= atCut + 3);
      await line.mend();
      await client.says('reads: continued at ');
      await client.prints('reads from before and after', ({ sequence }) => sequence > atCut + 6);

      t.equal(await client.end(), 0, client.stderr());
      t.equal(bySequence(client.reads).length, 1, 'no read is missing, none came twice');
      t.equal(
        client.others().filter((said) => said === 'control: ours').length,
        1,
        'it kept control',
      );
      await expectAsItWas(t, radio.target);
    },
  );

  t.test('it says what is wrong with a request, field by field', { buffered: true }, async (t) => {
    const radio = await service(t, shelf(t));
    // Three bytes, after the two of the PC, are no whole words.
    const client = runExample(t, example, ['--write', `${OLD_EPC}=112233`, radio.target]);
    await client.says('operations[0].data: 5 bytes given; allowed: ');
    t.equal(await client.end(), 0, client.stderr());
  });

  t.test(
    'over TCP it shows its certificate, and checks that of the service',
    { buffered: true },
    async (t) => {
      const folder = shelf(t);
      const certificates = join(folder, 'certificates');
      execFileSync(process.execPath, [
        join(PACKAGE_ROOT, 'dist/src/cli/main.js'),
        'grpc-certificates',
        certificates,
      ]);
      const file = (name: string) => join(certificates, name);
      const port = await freePort();
      await service(t, folder, [
        ...['--grpc-listen', `127.0.0.1:${port}`],
        ...['--grpc-cert', file('server.crt'), '--grpc-key', file('server.key')],
        ...['--grpc-client-ca', file('ca.crt')],
      ]);
      const client = runExample(t, example, [
        ...['--ca', file('ca.crt'), '--cert', file('controller.crt')],
        ...['--key', file('controller.key')],
        `localhost:${port}`,
      ]);
      await until('tags are printed', () => client.reads.length >= 3);
      t.equal(await client.end(), 0, client.stderr());
    },
  );
}

/** A step of building an example. @throws what it printed, if it fails. */
export function make(command: string, args: string[], options: SpawnSyncOptions = {}): void {
  const { status, error, stdout, stderr } = spawnSync(command, args, options);
  if (error !== undefined) throw error;
  if (status !== 0) {
    throw new Error(`${[command, ...args].join(' ')} ended with ${status}:\n${stdout}${stderr}`);
  }
}

/** Ends with the test. */
export function temporaryFolder(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'singulate-oem-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function shelf(t: Test): string {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'shelf.json'), JSON.stringify(SCENARIO));
  return folder;
}

function service(t: Test, folder: string, args: string[] = []) {
  const scenario = join(folder, 'shelf.json');
  return startRadioControlAt(t, join(folder, 'radio.sock'), ['--scenario', scenario, ...args]);
}

interface PrintedRead {
  sequence: number;
  epc: string;
}

function runExample(t: Test, example: Example, args: string[]) {
  const child = spawn(example.command, [...example.args, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...example.env },
  });
  const exit = once(child, 'exit').then(([code, signal]) => (code ?? signal) as number | string);
  t.teardown(async () => {
    child.kill('SIGKILL');
    await exit;
  });
  const reads: PrintedRead[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    const [, sequence, epc] = LINE.exec(line) ?? [];
    if (sequence === undefined || epc === undefined) t.fail(`no line of a tag: ${line}`);
    else reads.push({ sequence: Number(sequence), epc });
  });
  const others: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => others.push(line));
  const stderr = () => others.join('\n');
  const waitFor = (what: string, condition: () => boolean) =>
    until(what, condition, 60_000).catch((error) => {
      throw new Error(`${error.message}\nIt printed ${reads.length} tags, and said:\n${stderr()}`);
    });
  return {
    reads,
    others: () => others,
    stderr,
    says: (text: string) => waitFor(`it says "${text}"`, () => stderr().includes(text)),
    prints: (what: string, fits: (read: PrintedRead) => boolean) =>
      waitFor(`it prints ${what}`, () => reads.some(fits)),
    /** As Ctrl-C does. @returns its exit code. */
    end: async () => {
      child.kill('SIGINT');
      return exit;
    },
  };
}

/** Runs of sequence numbers without a gap or a repetition. */
function bySequence(reads: readonly PrintedRead[]): PrintedRead[][] {
  const runs: PrintedRead[][] = [];
  let expected = Number.NaN;
  for (const read of reads) {
    if (read.sequence !== expected) runs.push([]);
    runs.at(-1)?.push(read);
    expected = read.sequence + 1;
  }
  return runs;
}

/** The reader does not read, and nobody has control. */
async function expectAsItWas(t: Test, target: string): Promise<void> {
  const client = new RadioClient(target);
  t.teardown(() => client.close());
  t.equal((await client.getStatus()).state, RadioState.RADIO_STATE_IDLE);
  t.notOk((await client.getStatistics()).control, 'control was given back');
}
