/** Ends a source of events again and again at random moments, and keeps account of what came. */
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import { type AddressInfo, createServer, connect as netConnect, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Aedes } from 'aedes';
import type { Test } from 'tap';
import { WebSocket } from 'ws';
import { freePort } from '../../bench/delivery/free-port.js';
import { until } from '../gateway/reader.js';
import { Account } from './account.js';

const RUN_DIGITS = 8;
const COUNT_DIGITS = 16;

/** The id of an event: no two events of all runs have the same. */
export function contentOf(run: number, count: number): string {
  return (
    run.toString(16).padStart(RUN_DIGITS, '0') + count.toString(16).padStart(COUNT_DIGITS, '0')
  );
}

const NAMES = ['qos0', 'qos1', 'qos2', 'posts', 'lines', 'frames'] as const;

interface Wanted {
  /** Of them all if it is left out. */
  names?: readonly (typeof NAMES)[number][];
  spillToDisk?: boolean;
}

/** Receivers of all kinds, which stay while the source comes and goes. */
export class Receivers {
  readonly accounts: readonly Account[];
  readonly #retention: object;
  #aedes!: Aedes;
  #broker!: Server;
  #web!: HttpServer;
  #ended = false;

  private constructor(
    readonly tcpPort: number,
    readonly wsPort: number,
    /** Of the WebSocket. */
    readonly wsUrl: string,
    { names = NAMES, spillToDisk = false }: Wanted,
  ) {
    this.accounts = names.map((name) => new Account(name));
    this.#retention = { throttle: 0, spillToDisk };
  }

  static async start(t: Test, scheme: 'ws' | 'wss', wanted: Wanted = {}): Promise<Receivers> {
    const [tcpPort, wsPort] = [await freePort(), await freePort()];
    const url = `${scheme}://127.0.0.1:${wsPort}/ws`;
    const receivers = new Receivers(tcpPort, wsPort, url, wanted);
    await receivers.#listen();
    receivers.#lines();
    receivers.#frames();
    t.teardown(() => receivers.#end());
    return receivers;
  }

  /** That send to them. */
  get connections(): object[] {
    const retention = this.#retention;
    const { port } = this.#broker.address() as AddressInfo;
    const mqtt = (qos: number, more: object) => ({
      type: 'mqtt',
      name: `qos${qos}`,
      options: {
        endpoint: { hostName: '127.0.0.1', port, protocol: 'tcp' },
        additional: { qos, reconnectDelay: 0.1, reconnectDelayMax: 0.2 },
        publishTopic: [`qos${qos}`],
      },
      additionalOptions: { retention, ...more },
    });
    // Acknowledged one by one 3,000 events a second would be the test of the broker.
    const batching = { reportingInterval: 20, maxPayloadSizePerReport: 64_000 };
    const { port: webPort } = this.#web.address() as AddressInfo;
    const additionalOptions = { retention, batching };
    const all = [
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
        additionalOptions: { retention },
      },
      {
        type: 'WEBSOCKET',
        name: 'frames',
        options: {},
        additionalOptions: { retention },
      },
    ];
    return all.filter(({ name }) => this.#has(name));
  }

  #has(name: string): boolean {
    return this.accounts.some((one) => one.name === name);
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
    if (this.#ended || !this.#has('lines')) return;
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

  /** Follows the WebSocket, and connects it again when it closes. */
  #frames(): void {
    if (this.#ended || !this.#has('frames')) return;
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
 * up to the last has arrived, or was reported lost, and none stood for two events.
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
    const { arrived, reported, last, missing } = account;
    t.comment(`${account.name}: up to ${last}, ${arrived} came, ${reported} reported lost`);
    t.ok(mayMiss(account, kills), `${account.name}: missing ${JSON.stringify(missing)}`);
    t.same(account.conflicts.slice(0, 5), [], `${account.name}: no number stands for two events`);
    t.ok(reported <= last, `${account.name}: a loss that is reported again is known by its number`);
    t.ok(arrived > done, `${account.name}: ${arrived} events came`);
  }
}

/**
 * With QoS 0 nobody acknowledges: what the kernel had of a process that is killed may be lost with
 * it, one piece for each kill. All else is there, or reported.
 */
function mayMiss({ name, missing }: Account, kills: number): boolean {
  return missing.length <= (name === 'qos0' ? kills : 0);
}
