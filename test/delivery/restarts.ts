/** Ends a source of events again and again at random moments, and keeps account of what came. */
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import { type AddressInfo, createServer, connect as netConnect, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Aedes } from 'aedes';
import type { Test } from 'tap';
import { WebSocket } from 'ws';
import { until } from '../gateway/reader.js';
import { freePort } from './harness.js';

const RUN_DIGITS = 8;
const COUNT_DIGITS = 16;

/** The id of an event: no two events of all runs have the same. */
export function contentOf(run: number, count: number): string {
  return (
    run.toString(16).padStart(RUN_DIGITS, '0') + count.toString(16).padStart(COUNT_DIGITS, '0')
  );
}

/** What came by one way. */
export class Account {
  arrived = 0;
  told = 0;
  last = 0;
  /** Numbers that stood for two different events. */
  readonly conflicts: { number: number; one: string; other: string }[] = [];
  readonly #contents: (string | undefined)[] = [];
  #seen = new Uint8Array(1 << 16);

  constructor(readonly name: string) {}

  /** @param text An event, or an array of them. */
  message(text: string): void {
    for (const { type, data } of [JSON.parse(text)].flat()) {
      if (type === 'OVERFLOW') {
        this.told += data.lost;
        this.#mark(data.firstEventNum, data.lastEventNum);
      } else {
        this.#event(data.eventNum, data.idHex);
      }
    }
  }

  /** Numbers that neither came nor were told to be lost. */
  get unaccounted(): number[] {
    const missing: number[] = [];
    for (let number = 1; number <= this.last; number++) {
      if (this.#seen[number] !== 1) missing.push(number);
    }
    return missing;
  }

  #event(number: number, content: string): void {
    const before = this.#contents[number];
    if (before !== undefined && before !== content) {
      this.conflicts.push({ number, one: before, other: content });
    }
    this.#contents[number] = content;
    this.arrived++;
    this.#mark(number, number);
  }

  #mark(first: number, last: number): void {
    if (last >= this.#seen.length) {
      const larger = new Uint8Array(2 * last);
      larger.set(this.#seen);
      this.#seen = larger;
    }
    this.#seen.fill(1, first, last + 1);
    this.last = Math.max(this.last, last);
  }
}

/** Receivers of all kinds, which stay while the source comes and goes. */
export class Receivers {
  readonly accounts = ['qos0', 'qos1', 'qos2', 'posts', 'lines', 'frames'].map(
    (name) => new Account(name),
  );
  #aedes!: Aedes;
  #broker!: Server;
  #web!: HttpServer;
  #ended = false;

  private constructor(
    readonly tcpPort: number,
    readonly wsPort: number,
    /** Of the WebSocket. */
    readonly wsUrl: string,
  ) {}

  static async start(t: Test, scheme: 'ws' | 'wss'): Promise<Receivers> {
    const [tcpPort, wsPort] = [await freePort(), await freePort()];
    const receivers = new Receivers(tcpPort, wsPort, `${scheme}://127.0.0.1:${wsPort}/ws`);
    await receivers.#listen();
    receivers.#lines();
    receivers.#frames();
    t.teardown(() => receivers.#end());
    return receivers;
  }

  /** That send to them. */
  get connections(): object[] {
    const { port } = this.#broker.address() as AddressInfo;
    const mqtt = (qos: number, more: object) => ({
      type: 'mqtt',
      name: `qos${qos}`,
      options: {
        endpoint: { hostName: '127.0.0.1', port, protocol: 'tcp' },
        additional: { qos, reconnectDelay: 0.1, reconnectDelayMax: 0.2 },
        publishTopic: [`qos${qos}`],
      },
      additionalOptions: { retention: { throttle: 0 }, ...more },
    });
    // Acknowledged one by one 3,000 events a second would be the test of the broker.
    const batching = { reportingInterval: 20, maxPayloadSizePerReport: 64_000 };
    const { port: webPort } = this.#web.address() as AddressInfo;
    const additionalOptions = { retention: { throttle: 0 }, batching };
    return [
      mqtt(0, {}),
      mqtt(1, { batching }),
      mqtt(2, { batching }),
      {
        type: 'httpPost',
        name: 'posts',
        options: { URL: `http://127.0.0.1:${webPort}/` },
        additionalOptions,
      },
      {
        type: 'tcpip-server',
        name: 'lines',
        options: { tcpipport: String(this.tcpPort) },
        additionalOptions: { retention: { throttle: 0 } },
      },
      {
        type: 'WEBSOCKET',
        name: 'frames',
        options: {},
        additionalOptions: { retention: { throttle: 0 } },
      },
    ];
  }

  #account(name: string): Account {
    const account = this.accounts.find((one) => one.name === name);
    if (account === undefined) throw new Error(`nobody sends to ${name}`);
    return account;
  }

  async #listen(): Promise<void> {
    this.#aedes = await Aedes.createBroker({
      authorizePublish: (_client, packet, done) => {
        this.#account(packet.topic).message(packet.payload.toString());
        done(null);
      },
    });
    this.#broker = createServer({ noDelay: true }, (socket) => {
      socket.on('error', () => {});
      this.#aedes.handle(socket);
    });
    this.#web = createHttpServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part) => parts.push(part));
      request.on('end', () => {
        this.#account('posts').message(Buffer.concat(parts).toString());
        response.end();
      });
      request.on('error', () => {});
    });
    for (const server of [this.#broker, this.#web]) {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    }
  }

  /** A client of the TCP endpoint, which comes again as long as there are receivers. */
  #lines(): void {
    if (this.#ended) return;
    const socket = netConnect(this.tcpPort, '127.0.0.1');
    let rest = '';
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) this.#account('lines').message(line);
    });
    socket.on('error', () => {});
    socket.on('close', () => setTimeout(() => this.#lines(), AGAIN_MS));
  }

  /** The same of the WebSocket. */
  #frames(): void {
    if (this.#ended) return;
    const socket = new WebSocket(this.wsUrl, { rejectUnauthorized: false });
    socket.on('message', (data) => {
      for (const line of data.toString().split('\n')) {
        if (line !== '') this.#account('frames').message(line);
      }
    });
    socket.on('error', () => {});
    socket.on('close', () => setTimeout(() => this.#frames(), AGAIN_MS));
  }

  #end(): void {
    this.#ended = true;
    this.#web.closeAllConnections();
    this.#web.close();
    this.#broker.close();
    this.#aedes.close();
  }
}

const AGAIN_MS = 10;

/** What sends events to the receivers. */
export interface Source {
  /** Events flow once it is done. @param run Which start this is, from 0 on. */
  begin(run: number): Promise<void>;
  /** It is gone once it is done. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
  /** One more event, and no others. */
  last(): Promise<void>;
}

/** A busy machine restarts less often: the account after it takes its time too. */
const MOST_MS = 300_000;

/**
 * Ends the source and begins it again so many times, then lets it send all that it has. Every number
 * up to the last has arrived, or was told to be lost, and none stood for two events.
 */
export async function survivesRestarts(
  t: Test,
  source: Source,
  { accounts }: Receivers,
  restarts: number,
): Promise<void> {
  let kills = 0;
  let done = 0;
  const end = performance.now() + MOST_MS;
  for (; done < restarts && performance.now() < end; done++) {
    await source.begin(done);
    await sleep(30 + Math.random() * 300);
    const isKill = Math.random() < 0.7;
    if (isKill) kills++;
    await source.end(isKill ? 'SIGKILL' : 'SIGTERM');
  }
  await source.begin(done);
  const arrivedBefore = accounts.map(({ arrived }) => arrived);
  const isHere = (account: Account, index: number) =>
    account.arrived > Number(arrivedBefore[index]);
  await until('all are connected', () => accounts.every(isHere), 60_000);
  await source.last();
  t.comment(`${kills} kills, ${done - kills} stops`);
  for (const account of accounts) {
    let before = -1;
    // All that waits has left once nothing comes any more.
    await until(
      `all came by ${account.name}`,
      async () => {
        before = account.arrived;
        await sleep(1500);
        return account.arrived === before && mayMiss(account, kills);
      },
      120_000,
    ).catch(() => {});
    const { arrived, told, last } = account;
    t.comment(`${account.name}: ${last} numbers, ${arrived} came, ${told} told to be lost`);
    t.ok(
      mayMiss(account, kills),
      `${account.name}: ${account.unaccounted.length} of ${last} missing`,
    );
    t.same(account.conflicts.slice(0, 5), [], `${account.name}: no number stands for two events`);
    t.ok(arrived > done, `${account.name}: ${arrived} events came`);
  }
}

/**
 * With QoS 0 nobody acknowledges: what the kernel had of a process that is killed may be lost with
 * it, one piece for each kill. All else is there, or told.
 */
function mayMiss({ name, unaccounted }: Account, kills: number): boolean {
  const begins = unaccounted.filter((number, index) => unaccounted[index - 1] !== number - 1);
  return begins.length <= (name === 'qos0' ? kills : 0);
}
