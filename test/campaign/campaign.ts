/** Does faults for a while, and then looks at what came of it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorMessage } from '../../src/shared/errors.js';
import { processesOf } from '../e2e/processes.js';
import { type Check, checkAccount, checkFigures, checkFiles } from './checks.js';
import { ENDPOINT_FAULTS } from './endpoint-faults.js';
import { Peaks, takeSample } from './figures.js';
import { Clock, Disk } from './machine.js';
import { MACHINE_FAULTS } from './machine-faults.js';
import type { CampaignOptions } from './options.js';
import { PROCESS_FAULTS } from './process-faults.js';
import { Random } from './random.js';
import { Reader } from './reader.js';
import { accountsTable, faultsTable, figuresTable } from './report.js';
import { REQUESTS } from './requests.js';
import type { Fault, Scene } from './scene.js';
import { all, startSinks } from './sinks.js';

/** After a fault, on a machine that does other things as well. */
const BACK_MS = 90_000;
/** For what still waits at the end. */
const DRAIN_MS = 120_000;
const QUIET_MS = 3000;
const WARM_UP_MS = 5000;
const STOP_MS = 30_000;

const FAULTS = [...PROCESS_FAULTS, ...ENDPOINT_FAULTS, ...MACHINE_FAULTS, ...REQUESTS];

type Tell = (line: string) => void;

/** @returns What was checked. @throws if the reader does not even start. */
export async function runCampaign(options: CampaignOptions, tell: Tell): Promise<Check[]> {
  const disk = Disk.open();
  const folder = mkdtempSync(join(tmpdir(), 'campaign-clock-'));
  const clock = new Clock(folder);
  const stage = { fault: '' };
  const sinks = await startSinks(stage);
  const { stateDir } = disk;
  const leaveNothing = () => {
    for (const { pid } of processesOf(stateDir)) process.kill(pid, 'SIGKILL');
    disk.close();
    rmSync(folder, { recursive: true, force: true });
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      leaveNothing();
      process.exit(1);
    });
  }
  try {
    const env = clock.environment;
    const reader = await Reader.start({ stateDir, env, spill: options.spill, sinks });
    const random = new Random(options.seed);
    const scene: Scene = { reader, sinks, disk, clock, random, stage };
    return await underFaults(scene, options, tell);
  } finally {
    for (const sink of all(sinks)) sink.close();
    leaveNothing();
  }
}

async function underFaults(
  scene: Scene,
  { minutes, seed }: CampaignOptions,
  tell: Tell,
): Promise<Check[]> {
  const { reader, sinks, disk, clock } = scene;
  const accounts = all(sinks).map(({ account }) => account);
  const available = { disk: disk.isOwn, clock: clock.canStep };
  if (!available.disk) tell('without full disks: no file system can be mounted here');
  if (!available.clock) tell('without clock steps: libfaketime is not installed (faketime)');
  const faults = FAULTS.filter(({ needs }) => needs === undefined || available[needs]);
  tell(`${minutes} minutes of faults, --seed ${seed}`);
  await reader.readsOn(BACK_MS);
  await sleep(WARM_UP_MS);
  const begin = takeSample(disk.stateDir);
  const peaks = new Peaks(disk.stateDir);
  const begun = performance.now();
  const arrivedBefore = accounts[0]?.arrived ?? 0;
  const { done, checks } = await doFaults(scene, faults, minutes * 60_000, tell);
  const lasted = (performance.now() - begun) / 1000;
  const rate = ((accounts[0]?.arrived ?? 0) - arrivedBefore) / lasted;
  if (checks.every(({ problem }) => problem === '')) checks.push(await drain(scene));
  peaks.stop();
  const end = takeSample(disk.stateDir);
  tell(`\n${faultsTable(done)}\n`);
  tell(`${done.length} faults in ${Math.round(lasted)} s, ${Math.round(rate)} events a second\n`);
  tell(`${accountsTable(accounts, done)}\n\n${figuresTable(begin, peaks.peak, end)}\n`);
  checks.push(
    ...accounts.flatMap((account, at) =>
      checkAccount(account, all(sinks)[at] === sinks.qos0, done),
    ),
    ...checkFigures(begin, peaks.peak, end),
    ...(await checkEnd(scene)),
  );
  return checks;
}

async function doFaults(scene: Scene, faults: readonly Fault[], ms: number, tell: Tell) {
  const { reader, random, stage } = scene;
  const accounts = all(scene.sinks).map(({ account }) => account);
  const begun = performance.now();
  const done: Fault[] = [];
  const checks: Check[] = [];
  while (performance.now() - begun < ms) {
    const fault = random.weighted(faults);
    const at = `${((performance.now() - begun) / 1000).toFixed(1)} s`;
    stage.fault = fault.name;
    const isKill = fault.killsGateway === true;
    for (const account of accounts) account.kill(isKill);
    done.push(fault);
    let detail = '';
    let problem = '';
    try {
      detail = await fault.run(scene);
      const over = performance.now();
      await reader.readsOn(BACK_MS);
      detail = [detail, `back after ${((performance.now() - over) / 1000).toFixed(1)} s`]
        .filter(Boolean)
        .join(', ');
    } catch (error) {
      problem = errorMessage(error);
    }
    tell(`${at.padStart(8)}  ${fault.name}: ${problem === '' ? detail : problem}`);
    checks.push({ what: `it reads on after: ${fault.name}, ${at}`, problem });
    stage.fault = '';
    // A reader that does not come back gives nothing more to see.
    if (problem !== '') break;
    await sleep(random.between(200, 2000));
  }
  return { done, checks };
}

/** Nothing new is made, and what waits leaves. */
async function drain({ reader, sinks }: Scene): Promise<Check> {
  const what = 'all that waits has left';
  try {
    await reader.must('PUT', 'stop');
    const deadline = performance.now() + DRAIN_MS;
    let before = -1;
    for (;;) {
      const { json } = await reader.must('GET', 'status');
      const waiting = json.interfaceConnectionStatus.data.reduce(
        (sum: number, one: { numDataMessagesRetained: number }) =>
          sum + one.numDataMessagesRetained,
        0,
      );
      const arrived = all(sinks).reduce((sum, { account }) => sum + account.arrived, 0);
      if (waiting === 0 && arrived === before) return { what, problem: '' };
      if (performance.now() > deadline) {
        return { what, problem: `${waiting} events wait after ${DRAIN_MS / 1000} s` };
      }
      before = arrived;
      await sleep(QUIET_MS);
    }
  } catch (error) {
    return { what, problem: errorMessage(error) };
  }
}

async function checkEnd({ reader, disk }: Scene): Promise<Check[]> {
  await reader.stop();
  const orphans = processesOf(disk.stateDir).map(({ command }) => command);
  const stopped = `${(reader.lastStopMs / 1000).toFixed(1)} s, exit code ${reader.lastExitCode}`;
  const isOrderly = reader.lastExitCode === 0 && reader.lastStopMs < STOP_MS;
  return [
    { what: 'it ends in good order', problem: isOrderly ? '' : stopped },
    { what: 'no process is left', problem: orphans.join('; ') },
    checkFiles(disk.files()),
  ];
}
