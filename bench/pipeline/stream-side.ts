/** A serving process and a client in this one: counts what arrives over the Unix socket. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { RadioClient } from '../../src/contract/client.js';
import type { InventoryCountersInput, ReadBatch } from '../../src/contract/messages.js';
import { counterToNumber } from '../../src/contract/time.js';
import type { Sample } from '../measure.js';

export type SideKind = 'floor' | 'fast' | 'paced';

export interface StreamRun extends Sample {
  received: number;
  /** Reads lost on the way, no matter who lost them. */
  lost: number;
}

export class StreamSide {
  readonly #child: ChildProcess;
  readonly #client: RadioClient;
  readonly #reads: number;

  private constructor(child: ChildProcess, client: RadioClient, reads: number) {
    this.#child = child;
    this.#client = client;
    this.#reads = reads;
  }

  static async open(kind: SideKind, reads: number, spacingNs: number): Promise<StreamSide> {
    const socket = join(tmpdir(), `singulate-bench-${process.pid}-${kind}.sock`);
    const script = fileURLToPath(new URL('./stream-child.js', import.meta.url));
    const child = fork(script, [kind, socket, String(reads), String(spacingNs)], {
      execArgv: ['--force-node-api-uncaught-exceptions-policy=true'],
    });
    await once(child, 'message');
    return new StreamSide(child, new RadioClient(`unix:${socket}`), reads);
  }

  /** One inventory from start to the last read; `onBatch` is what the subscriber does with it. */
  async run(onBatch: (batch: ReadBatch) => void = () => {}): Promise<StreamRun> {
    const stream = this.#client.streamReads();
    stream.on('error', () => {});
    await once(stream, 'metadata');

    const childCpu = await this.#childCpu();
    const ownCpu = process.cpuUsage();
    const started = performance.now();
    await this.#client.startInventory({ plan: {}, owner: 'bench' });
    let received = 0;
    let dropped = 0;
    await new Promise<void>((resolve) => {
      // A run that loses reads ends by silence, not by its count.
      let silence = setTimeout(resolve, 3000);
      stream.on('data', (batch: ReadBatch) => {
        received += batch.reads.length;
        dropped = counterToNumber(batch.dropped);
        onBatch(batch);
        if (received + dropped >= this.#reads) {
          clearTimeout(silence);
          resolve();
        } else silence = silence.refresh();
      });
    });
    const seconds = (performance.now() - started) / 1000;
    const own = process.cpuUsage(ownCpu);
    const cpu = own.user + own.system + ((await this.#childCpu()) - childCpu);
    stream.cancel();
    await this.#client.stopInventory();
    return {
      perSecond: received / seconds,
      cpuUs: cpu / received,
      received,
      lost: this.#reads - received,
    };
  }

  async counters(): Promise<InventoryCountersInput> {
    return (await this.#client.getStatus()).counters ?? {};
  }

  close(): void {
    this.#client.close();
    this.#child.disconnect();
  }

  async #childCpu(): Promise<number> {
    this.#child.send('cpu');
    const [usage] = (await once(this.#child, 'message')) as [NodeJS.CpuUsage];
    return usage.user + usage.system;
  }
}
