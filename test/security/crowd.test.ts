/** Strangers who take all connections that they get do not keep out who had a valid token lately. */
import { connect, type Socket } from 'node:net';
import t, { type Test } from 'tap';
import { doorCounts } from '../../src/shared/arrivals/door-counts.js';
import { TestReader, until } from '../gateway/reader.js';

/** Opens connections from addresses of this machine, and again as soon as one is closed. */
class Crowd {
  readonly #sockets = new Set<Socket>();
  #ended = false;
  closed = 0;

  constructor(
    private readonly url: URL,
    readonly sources: number,
    readonly perSource: number,
    private readonly comesBack: boolean,
  ) {
    for (let source = 0; source < sources; source++) {
      for (let i = 0; i < perSource; i++) this.#open(`127.0.0.${2 + source}`);
    }
  }

  end(): void {
    this.#ended = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  #open(localAddress: string): void {
    const { hostname: host, port } = this.url;
    const socket = connect({ host, port: Number(port), localAddress });
    this.#sockets.add(socket);
    socket.on('error', () => {});
    socket.resume();
    socket.on('close', () => {
      this.closed++;
      this.#sockets.delete(socket);
      if (!this.#ended && this.comesBack) this.#open(localAddress);
    });
  }
}

/** Of the metrics; they count from the start of the process. */
async function refused(reader: TestReader, reason: string): Promise<number> {
  const { text } = await reader.call('GET', 'metrics');
  const name = `singulate_connections_refused_total{door="rest",reason="${reason}"} `;
  const found = text.split('\n').find((one) => one.startsWith(name));
  return Number(found?.split(' ')[1] ?? Number.NaN);
}

async function crowdedReader(
  t: Test,
  {
    isKnown,
    ...crowd
  }: { isKnown: boolean; sources: number; perSource: number; comesBack: boolean },
): Promise<{ reader: TestReader; crowd: Crowd }> {
  // Nobody is late but by the time that holds in a crowd.
  const reader = await TestReader.start(t, { restLimits: { handshakeMs: 60_000 } });
  t.teardown(() => reader.gateway.stop());
  if (isKnown) t.equal((await reader.login()).status, 200, 'it logged in before');
  const url = new URL(reader.gateway.restUrl);
  const strangers = new Crowd(url, crowd.sources, crowd.perSource, crowd.comesBack);
  t.teardown(() => strangers.end());
  await until('there are more than may be', () => strangers.closed > 0);
  return { reader, crowd: strangers };
}

t.test('300 silent connections of 4 addresses: a known client is served each time', async (t) => {
  const wanted = { isKnown: true, sources: 4, perSource: 75, comesBack: false };
  const { reader } = await crowdedReader(t, wanted);
  // Each over a connection of its own.
  for (let i = 0; i < 20; i++) t.equal((await reader.call('GET', 'version')).status, 200);
});

t.test('5 addresses with 50 connections each that come back at once: the same', async (t) => {
  const before = doorCounts('rest').refused.places;
  const wanted = { isKnown: true, sources: 5, perSource: 50, comesBack: true };
  const { reader, crowd } = await crowdedReader(t, wanted);
  for (let i = 0; i < 20; i++) t.equal((await reader.call('GET', 'version')).status, 200);
  t.ok(crowd.closed > 20, 'they came back all the time');
  t.ok((await refused(reader, 'places')) > before, 'and it is counted');
});

t.test('one who is new gets the place of a silent one of those who have most', async (t) => {
  const before = doorCounts('rest').refused.replaced;
  const wanted = { isKnown: false, sources: 4, perSource: 75, comesBack: false };
  const { reader } = await crowdedReader(t, wanted);
  t.equal((await reader.login()).status, 200);
  t.ok((await refused(reader, 'replaced')) > before);
});

t.test(
  'the silent ones are gone before the time of a handshake when it is nearly full',
  async (t) => {
    const wanted = { isKnown: true, sources: 4, perSource: 75, comesBack: false };
    const { reader, crowd } = await crowdedReader(t, wanted);
    const before = await refused(reader, 'late');
    await until('they are closed', async () => (await refused(reader, 'late')) > before);
    t.ok(crowd.closed > 0);
  },
);
