/** The reader's side of a transport: configured over REST as a user does, measured from outside. */
import type { Sample } from '../measure.js';
import type { Accounts } from './accounts.js';
import { EventCounter } from './event-counter.js';
import { freePort } from './free-port.js';
import { cpuUs } from './process-figures.js';
import type { BenchReader } from './reader.js';
import type { Sink } from './sinks/sink.js';
import { connectTo, type DeliveryTransport } from './transports.js';

export class OurSide {
  readonly #counter = new EventCounter();

  private constructor(
    readonly name: string,
    readonly reader: BenchReader,
    readonly sink: Sink,
  ) {}

  /** @param pushedTo The sink that it sends to; undefined = it serves, and a client comes. */
  static async open(
    reader: BenchReader,
    transport: DeliveryTransport,
    name: string,
    pushedTo: (Sink & { port: number }) | undefined,
    additionalOptions: { batching?: object; retention: object },
  ): Promise<OurSide> {
    const port = pushedTo?.port ?? (await freePort());
    const connection = transport.connection?.(port);
    const connections =
      connection === undefined ? [] : [{ name, description: '', ...connection, additionalOptions }];
    // Who has no connection of its own has the settings of the reader.
    await reader.deliverTo(connections, additionalOptions);
    if (pushedTo !== undefined) return new OurSide(name, reader, pushedTo);
    const { restUrl: base, token } = reader;
    return new OurSide(name, reader, await connectTo(transport, { port, base, token }));
  }

  /** The whole recording, as fast as it can be delivered. */
  async run(events: number, accounts: Accounts): Promise<Sample> {
    const { reader, sink } = this;
    sink.counter = this.#counter;
    this.#counter.begin();
    const droppedBefore = reader.dropped + (sink.lost ?? 0);
    const before = cpuUs(reader.gatewayPid);
    await reader.startReading();
    await this.#counter.until(events);
    const cpu = cpuUs(reader.gatewayPid) - before;
    const { received, perSecond } = this.#counter;
    const lost = received < events;
    // The gateway reports its counters at most once a second, and drops even less often.
    const dropped = lost ? (await reader.settledDropped()) + (sink.lost ?? 0) - droppedBefore : 0;
    accounts.add(this.name, events, this.#counter, dropped);
    return { perSecond, cpuUs: cpu / received };
  }

  async close(): Promise<void> {
    await this.sink.close();
    await this.reader.deliverTo([]);
  }
}
