/** Watches the radio over gRPC, as any client may: its state, its counters, the newest tags. */
import type { RadioClient } from '../contract/client.js';
import type { ReadBatch, TagRead } from '../contract/messages.js';

const LATENCY_MS = 100;

export type RadioState = 'connecting' | 'idle' | 'reading' | 'disconnected';

export interface RadioFigures {
  state: RadioState;
  /** Why the last inventory ended. */
  endReason: string;
  readsPerSecond: number;
  reads: number;
  uniqueTags: number;
  reported: number;
  filtered: number;
  dropped: number;
}

/** Is told all reads. */
export type ReadsHandler = (reads: readonly TagRead[]) => void;

export class RadioWatch {
  readonly #client: RadioClient;
  #unfollow: () => void = () => {};
  readonly #states: readonly RadioState[];
  readonly #toNumber: (counter: never) => number;
  #before: { inventoryId: string; reads: number; at: number } | undefined;
  #state: RadioState = 'connecting';

  private constructor(modules: Modules, target: string, onReads: ReadsHandler | undefined) {
    const { RadioClient: Client, followReads, RadioState: State, counterToNumber } = modules;
    this.#toNumber = counterToNumber;
    const states: RadioState[] = [];
    states[State.RADIO_STATE_DISCONNECTED] = 'disconnected';
    states[State.RADIO_STATE_IDLE] = 'idle';
    states[State.RADIO_STATE_READING] = 'reading';
    this.#states = states;
    this.#client = new Client(target);
    // A radio that runs as fast as it can waits for its readers: nobody reads for nothing.
    if (onReads === undefined) return;
    this.#unfollow = followReads(
      this.#client,
      { maxLatencyMs: LATENCY_MS, clientName: 'live view' },
      {
        onBatch: (batch: ReadBatch) => onReads(batch.reads as TagRead[]),
        onDisconnected: () => {
          this.#state = 'connecting';
        },
      },
    );
  }

  /**
   * gRPC is loaded only now: the services need the processor first.
   * @param onReads undefined: figures alone.
   */
  static async open(target: string, onReads: ReadsHandler | undefined): Promise<RadioWatch> {
    const [client, follow, messages, time] = await Promise.all([
      import('../contract/client.js'),
      import('../contract/follow-reads.js'),
      import('../contract/messages.js'),
      import('../contract/time.js'),
    ]);
    return new RadioWatch({ ...client, ...follow, ...messages, ...time }, target, onReads);
  }

  close(): void {
    this.#unfollow();
    this.#client.close();
  }

  /** Never rejects: a radio that does not answer is a state of its own. */
  async figures(now = Date.now()): Promise<RadioFigures | undefined> {
    try {
      const status = await this.#client.getStatus();
      this.#state = this.#states[status.state] ?? 'connecting';
      const count = (value: unknown) => this.#toNumber(value as never);
      const counters = status.counters;
      const reads = count(counters?.reads);
      return {
        state: this.#state,
        endReason: status.endReason,
        readsPerSecond: this.#rate(status.inventoryId, reads, now),
        reads,
        uniqueTags: count(counters?.uniqueTags),
        reported: count(counters?.reported),
        filtered: count(counters?.filtered),
        dropped: count(counters?.dropped),
      };
    } catch {
      this.#state = 'connecting';
      return undefined;
    }
  }

  get state(): RadioState {
    return this.#state;
  }

  /** Since the figures before; a new inventory counts from 0. */
  #rate(inventoryId: string, reads: number, at: number): number {
    const before = this.#before;
    this.#before = { inventoryId, reads, at };
    if (before === undefined || at <= before.at) return 0;
    const from = before.inventoryId === inventoryId && before.reads <= reads ? before.reads : 0;
    return Math.round(((reads - from) * 1000) / (at - before.at));
  }
}

type Modules = typeof import('../contract/client.js') &
  typeof import('../contract/follow-reads.js') &
  typeof import('../contract/messages.js') &
  typeof import('../contract/time.js');
