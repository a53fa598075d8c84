/**
 * The connection between the two services stands, with full buffers at both ends: as it does when
 * both write, and neither reads before it has written. It is given up, and reading goes on.
 */
import { createConnection, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { startRadioControlAt } from '../oem/radio-control.js';
import { FakeRadio } from './fake-radio.js';
import { radioTarget, TestReader, temporaryFolder, until } from './reader.js';
import { bearer, HttpStream } from './streams.js';

/** Between the services; what it does not pass on stays in the buffers. */
class Line {
  readonly #sockets = new Set<Socket>();

  static async open(t: Test, from: string, to: string): Promise<Line> {
    const line = new Line();
    const server = createServer((client) => {
      const service = createConnection(to);
      for (const socket of [client, service]) {
        line.#sockets.add(socket);
        socket.on('error', () => {});
      }
      client.on('close', () => service.destroy());
      service.on('close', () => client.destroy());
      client.pipe(service);
      service.pipe(client);
    });
    await new Promise<void>((resolve) => server.listen(from, resolve));
    t.teardown(() => {
      server.close();
      for (const socket of line.#sockets) socket.destroy();
    });
    return line;
  }

  /** The connections that there are; new ones go. */
  stall(): void {
    for (const socket of this.#sockets) {
      socket.unpipe();
      socket.pause();
    }
    this.#sockets.clear();
  }
}

t.test('a connection that stands is given up within 5 s, and no read is lost', async (t) => {
  const stateDir = temporaryFolder(t);
  const service = join(stateDir, 'real.sock');
  await startRadioControlAt(t, service, ['--seed', '1']);
  const line = await Line.open(t, radioTarget(stateDir).replace('unix:', ''), service);
  // The real radio service, behind the line, listens in its place.
  const reader = await TestReader.start(t, { stateDir, radio: new FakeRadio() });
  t.teardown(() => reader.gateway.stop());
  const connection = async () => (await reader.call('GET', 'status')).json.radioConnection;
  await until('the radio is connected', async () => (await connection()) === 'connected');
  // Session S0: the tags in the field answer again and again.
  const mode = { type: 'SIMPLE', query: { session: 'S0' } };
  t.equal((await reader.call('PUT', 'mode', mode)).status, 200);
  const token = (await reader.login()).json.message;
  const stream = await HttpStream.open(t, reader, '/cloud/events', bearer(token));
  t.equal((await reader.call('PUT', 'start', {})).status, 200);
  await until('events', () => stream.numbers.length > 20);

  for (let times = 0; times < 3; times++) {
    line.stall();
    const before = stream.numbers.length;
    await until('events again', () => stream.numbers.length > before + 10, 8000);
    await until('it is connected', async () => (await connection()) === 'connected');
  }
  t.equal((await reader.call('PUT', 'stop', {})).status, 200);
  const [first = 0] = stream.numbers;
  t.same(
    stream.numbers.map((number, index) => number - index - first).filter((gap) => gap !== 0),
    [],
    'without a gap',
  );
  t.equal(stream.events.filter(({ type }) => type === 'OVERFLOW').length, 0);
});
