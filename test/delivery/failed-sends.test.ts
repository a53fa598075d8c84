/** Sends that fail: the event loop turns between them, whatever the transport and its socket do. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setImmediate as immediate, setTimeout as sleep } from 'node:timers/promises';
import { Aedes } from 'aedes';
import t, { type Test } from 'tap';
import type { MqttOptions } from '../../src/reader-gateway/api/connection.js';
import type { Transport, TransportHandlers } from '../../src/reader-gateway/delivery/transport.js';
import { TransportStates } from '../../src/reader-gateway/delivery/transport-states.js';
import { MqttTransport } from '../../src/reader-gateway/delivery/transports/mqtt.js';
import { Listener, TestBroker, until } from '../gateway/reader.js';
import { endpointOf, event, NO_CERTIFICATES, offer, silent } from './harness.js';

/** Above it the loop would never turn again: nothing else would end the test. */
const MOST_WRITES = 1000;

/** Counts what is written to a socket that is destroyed. @throws from the write, if it is too often. */
function countLateWrites(socket: Socket): { writes: number } {
  const counted = { writes: 0 };
  const write = socket.write.bind(socket);
  socket.write = ((...args: Parameters<Socket['write']>) => {
    if (socket.destroyed && ++counted.writes > MOST_WRITES) throw new Error('written for ever');
    return write(...args);
  }) as Socket['write'];
  return counted;
}

async function connectedTo(t: Test, broker: TestBroker, qos: 0 | 1 | 2) {
  const sockets: Socket[] = [];
  const onSocket = (message: unknown) => sockets.push((message as { socket: Socket }).socket);
  subscribe('net.client.socket', onSocket);
  const options: MqttOptions = {
    endpoint: { hostName: '127.0.0.1', port: broker.port },
    additional: { qos, reconnectDelay: 0.1, reconnectDelayMax: 0.2 },
    publishTopic: [`tags/${qos}`],
  };
  const transport = new MqttTransport(options, NO_CERTIFICATES, silent);
  const endpoint = endpointOf(t, 'mqtt', transport, { retention: { throttle: 0 } });
  await until('it is connected', () => endpoint.state.connected);
  unsubscribe('net.client.socket', onSocket);
  const socket = sockets.find(({ remotePort }) => remotePort === broker.port) as Socket;
  return { endpoint, socket };
}

for (const qos of [0, 1, 2] as const) {
  t.test(`QoS ${qos}: an event in the turn in which the socket is destroyed`, async (t) => {
    const broker = new TestBroker();
    await broker.start();
    t.teardown(() => broker.stop());
    const listener = new Listener(broker.url, '#');
    t.teardown(() => listener.client.end(true));
    await until('the listener is there', () => listener.subscribed);
    const { endpoint, socket } = await connectedTo(t, broker, qos);
    const late = countLateWrites(socket);
    socket.destroy();
    endpoint.offer(event());
    await immediate();
    t.equal(late.writes, 0, 'nothing is written to it');
    const came = () => listener.on(`tags/${qos}`).length > 0;
    await until('it arrives over the next connection', came);
    await until('it counts', () => endpoint.counters.sent === 1);
    t.match(endpoint.counters, { dropped: 0, retained: 0 });
    offer(endpoint, 5);
    await until('all later ones too', () => endpoint.counters.sent === 6);
  });
}

t.test(
  'with QoS 0 and without topics nothing counts as sent, and the status says why',
  async (t) => {
    const options: MqttOptions = { endpoint: { hostName: '127.0.0.1', port: 1 }, publishTopic: [] };
    const transport = new MqttTransport(options, NO_CERTIFICATES, silent);
    const retention = { maxNumEvents: 10 };
    const endpoint = endpointOf(t, 'mqtt', transport, { retention });
    offer(endpoint, 15);
    await sleep(20);
    t.match(endpoint.counters, { sent: 0, retained: 10, dropped: 5 });
    t.same(endpoint.state, { connected: false, error: 'publishTopic names no topic' });
  },
);

/** It is up and has room, whatever comes of its messages. */
class ScriptedTransport implements Transport {
  readonly unbatched = 'event';
  readonly isDoneWithMessages = true;
  sends = 0;
  /** Since the event loop has turned. */
  sendsInTurn = 0;
  mostInTurn = 0;
  isWell = false;
  handlers: TransportHandlers | undefined;

  constructor(private readonly answer: (report: () => void) => void) {}

  open(handlers: TransportHandlers): void {
    this.handlers = handlers;
    handlers.onState({ phase: 'up', error: '' });
  }

  hasRoom(): boolean {
    return true;
  }

  send(_message: Buffer, done: (error?: Error) => void): void {
    this.sends++;
    if (this.sendsInTurn++ === 0) setImmediate(() => (this.sendsInTurn = 0));
    this.mostInTurn = Math.max(this.mostInTurn, this.sendsInTurn);
    if (this.sendsInTurn > MOST_WRITES) throw new Error('sent for ever');
    const error = this.isWell ? undefined : new Error('it breaks');
    this.answer(() => {
      done(error);
      // News within the same turn.
      if (error) this.handlers?.onState({ phase: 'down', error: 'it breaks' });
      if (error) this.handlers?.onState({ phase: 'up', error: '' });
    });
  }

  async close(): Promise<void> {}
}

for (const [when, answer] of [
  ['at once', (report: () => void) => report()],
  ['in a microtask', (report: () => void) => queueMicrotask(report)],
  ['in the next tick', (report: () => void) => process.nextTick(report)],
] as const) {
  t.test(`a transport whose sends fail ${when} while it says that it is up`, async (t) => {
    const transport = new ScriptedTransport(answer);
    const endpoint = endpointOf(t, 'mqtt', transport, { retention: { throttle: 0 } });
    offer(endpoint, 3);
    await until('it tries again', () => transport.sends > 20);
    t.ok(transport.mostInTurn <= 6, `${transport.mostInTurn} sends in a turn of the loop`);
    t.match(endpoint.counters, { sent: 0, retained: 3, dropped: 0 });
    transport.isWell = true;
    await until('all is sent', () => endpoint.counters.sent === 3);
    offer(endpoint, 3);
    await until('all later ones too', () => endpoint.counters.sent === 6);
  });
}

t.test('without news, tries that fail become rarer, and the first success ends that', async (t) => {
  const transport = new ScriptedTransport((report) => setImmediate(report));
  transport.handlers = { onState() {}, onRoom() {}, onRetry() {} };
  const { open } = transport;
  transport.open = (handlers) => {
    open.call(transport, handlers);
    transport.handlers = undefined;
  };
  const endpoint = endpointOf(t, 'mqtt', transport, { retention: { throttle: 0 } });
  offer(endpoint, 1);
  await sleep(400);
  t.ok(transport.sends < 15, `${transport.sends} tries in 0.4 s`);
  await until('it tries again', () => transport.sends > 1);
  transport.isWell = true;
  await until('it is sent', () => endpoint.counters.sent === 1);
});

t.test('a large backlog leaves with turns of the event loop between its parts', async (t) => {
  const transport = new ScriptedTransport((report) => process.nextTick(report));
  transport.isWell = true;
  const { open } = transport;
  const bytes: number[] = [];
  const send = transport.send.bind(transport);
  transport.send = (message, done) => {
    if (transport.sendsInTurn === 0) bytes.push(0);
    bytes[bytes.length - 1] = (bytes[bytes.length - 1] ?? 0) + message.length;
    // One of these is a large message: there may be many in a turn.
    transport.sendsInTurn = Math.min(transport.sendsInTurn, MOST_WRITES - 1);
    send(message, done);
  };
  transport.open = (handlers) => {
    transport.handlers = handlers;
  };
  const endpoint = endpointOf(t, 'mqtt', transport, { retention: { throttle: 0 } });
  offer(endpoint, 30_000);
  open.call(transport, transport.handlers as TransportHandlers);
  await until('all is sent', () => endpoint.counters.sent === 30_000);
  t.ok(Math.max(...bytes) < 1_200_000, `at most ${Math.max(...bytes)} bytes in a turn`);
});

t.test('where a transport may go from where it stands', async (t) => {
  const reported: string[] = [];
  const states = new TransportStates();
  states.open({
    onState: ({ phase, error }) => reported.push(`${phase} ${error}`),
    onRoom() {},
    onRetry() {},
  });
  t.notOk(states.takes);
  states.to('trying');
  t.ok(states.takes);
  states.to('down', 'refused');
  states.to('down', 'refused');
  states.to('up');
  t.throws(() => states.to('trying'), /a transport that is up cannot be trying next/);
  states.to('closing');
  t.notOk(states.takes);
  states.to('up');
  t.same(
    reported,
    ['trying ', 'down refused', 'up '],
    'nothing is reported twice, or after the end',
  );
});

t.test(
  'what is sent once more after an outage does not wait for acknowledgements of TCP',
  async (t) => {
    let holdsBack = true;
    const came: boolean[] = [];
    const withoutDelay = new Set<number>();
    const onSocket = (message: unknown) => {
      const { socket } = message as { socket: Socket };
      const setNoDelay = socket.setNoDelay.bind(socket);
      socket.setNoDelay = (noDelay) => {
        if (noDelay && socket.localPort !== undefined) withoutDelay.add(socket.localPort);
        return setNoDelay(noDelay);
      };
    };
    const aedes = await Aedes.createBroker({
      authorizePublish: ({ conn }: { conn?: Socket }, _packet, done) => {
        if (holdsBack) return;
        came.push(withoutDelay.has(conn?.remotePort ?? 0));
        done(null);
      },
    } as Parameters<typeof Aedes.createBroker>[0]);
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => {});
      aedes.handle(socket);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.teardown(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
      aedes.close();
    });
    subscribe('net.client.socket', onSocket);
    t.teardown(() => unsubscribe('net.client.socket', onSocket));
    const options: MqttOptions = {
      endpoint: { hostName: '127.0.0.1', port: (server.address() as AddressInfo).port },
      additional: { qos: 1, reconnectDelay: 0.1, reconnectDelayMax: 0.2 },
      publishTopic: ['tags'],
    };
    const transport = new MqttTransport(options, NO_CERTIFICATES, silent);
    const endpoint = endpointOf(t, 'mqtt', transport, { retention: { throttle: 0 } });
    await until('it is connected', () => endpoint.state.connected);
    offer(endpoint, 5);
    await until('they are on the way', () => endpoint.isSending);
    holdsBack = false;
    for (const socket of sockets) socket.destroy();
    await until('all came', () => endpoint.counters.sent === 5);
    t.same(came, [true, true, true, true, true]);
  },
);
