/** Both services as they run on a reader, reads at a steady rate, and a subscriber of a broker. */
import type { MqttClient } from 'mqtt';
import type { Accounts } from './accounts.js';
import type { Broker } from './broker.js';
import { EventCounter } from './event-counter.js';
import { LatencySamples } from './latency-samples.js';
import { BenchReader } from './reader.js';
import { mqttOptions } from './transports.js';

/** A reader runs for months: its first seconds, with code that is not compiled yet, do not count. */
export const WARM_UP_SECONDS = 2;

export class LatencyRig {
  private constructor(
    readonly reader: BenchReader,
    readonly samples: LatencySamples,
    readonly counter: EventCounter,
    readonly reads: number,
    readonly client: MqttClient,
    readonly brokerPort: number,
  ) {}

  /** Reads come from the return on. */
  static async start(broker: Broker, readsPerSecond: number, seconds: number): Promise<LatencyRig> {
    const reads = readsPerSecond * seconds;
    const spacingNs = 1e9 / readsPerSecond;
    const reader = await BenchReader.start({ reads, spacingNs, paced: true });
    const samples = new LatencySamples(reads);
    const counter = new EventCounter();
    const client = await broker.subscribe((payload) => {
      samples.take(payload);
      counter.take(payload);
    });
    const rig = new LatencyRig(reader, samples, counter, reads, client, broker.port);
    try {
      await rig.deliverBeside([]);
      await reader.endpointsSay('connected', ([one]) => one?.state === 'connected');
      await reader.startReading();
    } catch (error) {
      await rig.close();
      throw error;
    }
    return rig;
  }

  /** To the subscriber, which is not touched by this, and to other destinations. */
  deliverBeside(others: object[]): Promise<void> {
    const ours = { name: 'latency', type: 'mqtt', options: mqttOptions(this.brokerPort, 0) };
    return this.reader.deliverTo([ours, ...others]);
  }

  /** Waits for the last read. */
  async end(what: string, accounts: Accounts): Promise<void> {
    await this.counter.until(this.reads);
    const lost = this.counter.received < this.reads;
    const dropped = lost ? await this.reader.settledDropped() : 0;
    accounts.add(what, this.reads, this.counter, dropped);
  }

  async close(): Promise<void> {
    await this.client.endAsync();
    await this.reader.stop();
  }
}
