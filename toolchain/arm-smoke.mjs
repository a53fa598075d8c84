/**
 * radio-control on an emulated machine: Debian's Node.js for it runs the real service with the
 * cross-built addon, and a client here speaks gRPC to its Unix socket, knowing nothing but the
 * proto file. One process, as emulated ones cannot start others; no root.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './build.mjs';
import { debianNode } from './debian-node.mjs';
import { run, SetupError } from './steps.mjs';

const require = createRequire(import.meta.url);

const SCENARIO = 'retail-shelf';
/** An emulated service on a busy machine. */
const READY_MS = 240_000;
const READS_MS = 240_000;
const CALL_MS = 30_000;

function emulatedNode(target, root, args, options) {
  return [target.emulator, ['-L', root, join(root, 'usr/bin/node'), ...args], options];
}

async function versionOf(target, root) {
  const { code, output } = await run(...emulatedNode(target, root, ['--version']));
  if (code !== 0) throw new SetupError(`Node.js for ${target.title} does not run: ${output}`);
  return output.trim().replace(/^v/, '');
}

function startService(target, root, addon, socket) {
  const [command, args, options] = emulatedNode(
    target,
    root,
    [
      '--force-node-api-uncaught-exceptions-policy=true',
      join(ROOT, 'dist/src/radio-control/main.js'),
      ...['--socket', socket, '--scenario', SCENARIO, '--seed', '7'],
    ],
    { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, SINGULATE_ADDON: addon } },
  );
  const child = spawn(command, args, options);
  const service = { child, output: '', ended: undefined };
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      service.output += chunk;
    });
  }
  service.ended = new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code, signal) => resolve(code ?? signal));
  });
  return service;
}

/** Clients of the service's interfaces, by their proto files alone. */
function connect(socket) {
  const { credentials, loadPackageDefinition } = require('@grpc/grpc-js');
  const { loadSync } = require('@grpc/proto-loader');
  const options = { enums: String, longs: Number, defaults: true };
  const radioProto = join(ROOT, 'proto/singulate/radio/v1/radio.proto');
  const { singulate } = loadPackageDefinition(loadSync(radioProto, options));
  const healthProto = require.resolve('grpc-health-check/proto/health/v1/health.proto');
  const { grpc } = loadPackageDefinition(loadSync(healthProto, options));
  const retry = { 'grpc.max_reconnect_backoff_ms': 500, 'grpc.initial_reconnect_backoff_ms': 100 };
  const open = (Client) => new Client(`unix:${socket}`, credentials.createInsecure(), retry);
  return { radio: open(singulate.radio.v1.Radio), health: open(grpc.health.v1.Health) };
}

function call(client, method, request = {}) {
  return new Promise((resolve, reject) => {
    const deadline = Date.now() + CALL_MS;
    client[method](request, { deadline }, (error, answer) =>
      error ? reject(error) : resolve(answer),
    );
  });
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 100));

/** Until the service says itself that it serves. */
async function healthy(health, service) {
  const giveUp = Date.now() + READY_MS;
  let ended;
  service.ended.then((code) => {
    ended = code;
  });
  for (;;) {
    if (ended !== undefined) throw new Error(`the service ended with ${ended}`);
    const status = await call(health, 'check').then(
      (answer) => answer.status,
      (error) => error.message,
    );
    if (status === 'SERVING') return;
    if (Date.now() > giveUp) throw new Error(`not healthy: ${status}`);
    await pause();
  }
}

/** What the scenario puts on the shelf, by the loader of this machine. */
async function expectedTags() {
  const { loadScenario } = await import(
    join(ROOT, 'dist/src/radio-control/scenario/load-scenario.js')
  );
  const field = await loadScenario(SCENARIO);
  return new Set(field.groups.flatMap(({ tags }) => tags.map(({ epc }) => hex(epc))));
}

const hex = (bytes) => Buffer.from(bytes).toString('hex');

/** Follows the stream and keeps what it says. */
function follow(radio) {
  const stream = radio.streamReads({});
  const seen = { stream, tags: new Set(), reports: 0, next: 1, gaps: 0, dropped: 0, error: '' };
  stream.on('data', ({ firstSequence, dropped, reads }) => {
    if (firstSequence !== seen.next) seen.gaps += firstSequence - seen.next;
    seen.next = firstSequence + reads.length;
    seen.dropped = dropped;
    seen.reports += reads.length;
    for (const { epc } of reads) seen.tags.add(hex(epc));
  });
  stream.on('error', (error) => {
    seen.error = error.message;
  });
  return seen;
}

async function until(condition, longestMs) {
  const giveUp = Date.now() + longestMs;
  while (!condition() && Date.now() < giveUp) await pause();
  return condition();
}

function addsUp({ reads, reported, filtered, idFiltered, dropped, readsByAntenna }) {
  const byAntenna = Object.values(readsByAntenna).reduce((sum, count) => sum + count, 0);
  return reads === reported + filtered + idFiltered + dropped && reads === byAntenna;
}

async function scenario({ radio, health }, service, note) {
  const started = Date.now();
  await healthy(health, service);
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  note(`the service is healthy after ${seconds} s`, true);

  const capabilities = await call(radio, 'getCapabilities');
  const { antennas, linkProfiles, module } = capabilities;
  const told = antennas.length === 2 && linkProfiles.length > 0 && module !== '';
  note(`it tells what its module can do: ${module}`, told, JSON.stringify(capabilities));

  const expected = await expectedTags();
  const seen = follow(radio);
  const plan = { reportFilter: { kind: 'INTERVAL', scope: 'PER_ANTENNA', periodMs: 500 } };
  const { inventoryId } = await call(radio, 'startInventory', { plan, owner: 'smoke' });
  note('an inventory starts', inventoryId !== '');
  const all = () => seen.tags.size >= expected.size || seen.error !== '';
  await until(all, READS_MS);
  const { counters } = await call(radio, 'stopInventory');
  await until(() => seen.reports + seen.gaps >= counters.reported, CALL_MS);
  seen.stream.cancel();

  const strangers = [...seen.tags].filter((epc) => !expected.has(epc));
  note(
    `all ${expected.size} tags of the shelf are read, and no others`,
    seen.tags.size === expected.size && strangers.length === 0,
    `${seen.tags.size} tags, not of the shelf: ${strangers.join(' ')}; ${seen.error}`,
  );
  note(
    `${seen.reports} reports came in sequence`,
    seen.gaps === seen.dropped && seen.reports + seen.gaps === counters.reported,
    JSON.stringify({ ...seen, stream: undefined, tags: undefined, counters }),
  );
  note(
    `the counters of ${counters.reads} reads add up`,
    counters.reads > 0 && counters.uniqueTags === expected.size && addsUp(counters),
    JSON.stringify(counters),
  );
  const { state, endReason } = await call(radio, 'getStatus');
  const stopped = state === 'RADIO_STATE_IDLE' && endReason === 'stopped';
  note('it is idle afterwards', stopped, `${state}, ${endReason}`);
}

/** @param note called with the name of each check, whether it holds, and what was found. */
export async function smoke(target, addon, note) {
  const root = await debianNode(target);
  const version = await versionOf(target, root);
  console.log(`radio-control on Node.js ${version} for ${target.title}`);
  const folder = mkdtempSync(join(tmpdir(), 'singulate-smoke-'));
  const socket = join(folder, 'radio.sock');
  const service = startService(target, root, addon, socket);
  const clients = connect(socket);
  try {
    await scenario(clients, service, note);
    service.child.kill('SIGTERM');
    setTimeout(() => service.child.kill('SIGKILL'), CALL_MS).unref();
    const code = await service.ended;
    note('it ends when it is told to', code === 0, `${code}: ${service.output.slice(-3000)}`);
  } catch (error) {
    note(`end to end: ${error.message}`, false, service.output.slice(-3000));
  } finally {
    service.child.kill('SIGKILL');
    await service.ended;
    for (const client of Object.values(clients)) client.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
