/** Node-RED as a process, and the server that it gets its reads from. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sample } from '../../measure.js';
import { EventCounter } from '../event-counter.js';
import { cpuUs, endsWithUs } from '../process-figures.js';
import { syntheticRead } from '../recording.js';
import type { MqttSink } from '../sinks/mqtt-sink.js';
import { flow } from './flow.js';
import { installNodeRed } from './install-node-red.js';

const STARTS_WITHIN_MS = 30_000;
const STALLS_AFTER_MS = 10_000;
const LINES_PER_WRITE = 100;
/** Reads that are on their way in it: a flood would pass its nodes one after the other as a whole. */
const AHEAD = 2000;

export class NodeRedSide {
  readonly #counter = new EventCounter();

  private constructor(
    readonly version: string,
    readonly process: ChildProcess,
    readonly server: Server,
    readonly socket: Socket,
    readonly userDir: string,
  ) {}

  /** @param sink Where its events arrive. */
  static async start(sink: MqttSink): Promise<NodeRedSide> {
    const { version, script } = await installNodeRed();
    const server = createServer({ noDelay: true }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const userDir = mkdtempSync(join(tmpdir(), 'singulate-bench-node-red-'));
    writeFileSync(join(userDir, 'flows.json'), JSON.stringify(flow(port, sink.port)));
    writeFileSync(join(userDir, 'settings.js'), SETTINGS);
    const args = [script, '--userDir', userDir, '--settings', join(userDir, 'settings.js')];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
    endsWithUs(child);
    const late = AbortSignal.timeout(STARTS_WITHIN_MS);
    try {
      // Its flow runs when the first node asks for reads; the last one gives up what it cannot send.
      const [socket] = (await once(server, 'connection', { signal: late })) as [Socket];
      socket.on('error', () => {});
      await Promise.race([sink.connected, once(late, 'abort').then(() => late.throwIfAborted())]);
      const side = new NodeRedSide(version, child, server, socket, userDir);
      sink.counter = side.#counter;
      return side;
    } catch {
      child.kill('SIGKILL');
      throw new Error(`Node-RED ${version} does not run its flow within ${STARTS_WITHIN_MS} ms`);
    }
  }

  async run(reads: number): Promise<Sample> {
    const pid = this.process.pid as number;
    this.#counter.begin();
    const before = cpuUs(pid);
    const nowNs = Date.now() * 1e6;
    const lines = Array.from({ length: reads }, (_, i) => {
      const read = syntheticRead(i, 1000);
      return `${JSON.stringify({ ...read, timeNs: nowNs + read.timeNs })}\n`;
    });
    for (let next = 0; next < reads; next += LINES_PER_WRITE) {
      this.socket.write(lines.slice(next, next + LINES_PER_WRITE).join(''));
      const late = Date.now() + STALLS_AFTER_MS;
      while (next - this.#counter.received > AHEAD) {
        if (Date.now() > late) throw new Error(`Node-RED ${this.version} sends nothing any more`);
        await sleep(1);
      }
    }
    await this.#counter.until(reads);
    const { received, perSecond } = this.#counter;
    if (received !== reads) throw new Error(`Node-RED sent ${received} of ${reads} events`);
    return { perSecond, cpuUs: (cpuUs(pid) - before) / reads };
  }

  async stop(): Promise<void> {
    const gone = once(this.process, 'exit');
    this.process.kill('SIGKILL');
    await gone;
    this.socket.destroy();
    this.server.close();
    rmSync(this.userDir, { recursive: true, force: true });
  }
}

/** No editor, no admin interface, no HTTP nodes; one that listened would do so on the loopback. */
const SETTINGS = `module.exports = {
  uiHost: '127.0.0.1',
  uiPort: 0,
  flowFile: 'flows.json',
  disableEditor: true,
  httpAdminRoot: false,
  httpNodeRoot: false,
  credentialSecret: false,
  socketReconnectTime: 500,
  logging: { console: { level: 'error', metrics: false, audit: false } },
};
`;
