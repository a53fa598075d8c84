/**
 * The endpoints of a reader as a process that a test kills: numbered events go to them from the
 * moment its parent says so. argv: STATE_FOLDER CONNECTIONS(JSON) WS_PORT PER_SECOND. Its standard
 * signals are those of the gateway: SIGTERM stops in good order. 'last' as a message: one more
 * event, and no others.
 */
import { WebSocketServer } from 'ws';
import { EventEndpoints, TAG_EVENTS } from '../../src/reader-gateway/delivery/event-endpoints.js';
import { NumberLedger } from '../../src/reader-gateway/delivery/numbers/ledger.js';
import type { WebSocketTaker } from '../../src/reader-gateway/delivery/transports/websocket.js';
import { systemClock } from '../../src/shared/clock.js';
import { event, NO_CERTIFICATES, silent } from './harness.js';
import { contentOf } from './restarts.js';

const [stateDir, connections, wsPort, perSecond] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
];
const FLUSH_MS = 200;
const EVERY_MS = 5;
/** A machine that is so busy that nothing gets through must not fill what retention allows. */
const MOST_WAITING = 50_000;

process.on('message', (message: { begin: number } | 'last') => {
  if (message !== 'last') return begin(message.begin);
  clearInterval(flow);
  offer();
});
process.on('disconnect', () => process.exit(0));
process.send?.('loaded');

let flow: NodeJS.Timeout | undefined;
let offer = () => {};

/** @param run Which start this is, for events that are unlike all others. */
function begin(run: number): void {
  const webSockets: WebSocketTaker = { taker: undefined };
  const server = new WebSocketServer({ host: '127.0.0.1', port: Number(wsPort) });
  // The port of one that was just killed may not be free yet: clients try again.
  server.on('error', () => process.exit(3));
  server.on('connection', (socket) => {
    if (webSockets.taker === undefined) socket.close();
    else webSockets.taker(socket);
  });
  const numbers = NumberLedger.open(stateDir, silent);
  const endpoints = new EventEndpoints(
    TAG_EVENTS,
    {
      certificates: NO_CERTIFICATES,
      clock: systemClock,
      stateDir,
      numbers,
      webSockets,
      log: silent,
    },
    () => {},
  );
  endpoints.apply(JSON.parse(connections), undefined, undefined);
  let offered = 0;
  offer = () => endpoints.offer(event(contentOf(run, offered++)));
  let owed = 0;
  let lastMs = performance.now();
  flow = setInterval(() => {
    const now = performance.now();
    owed += ((now - lastMs) * Number(perSecond)) / 1000;
    lastMs = now;
    if (endpoints.waitingEvents > MOST_WAITING) owed = 0;
    for (; owed >= 1; owed--) offer();
  }, EVERY_MS);
  process.on('SIGTERM', async () => {
    clearInterval(flow);
    await endpoints.stop(FLUSH_MS);
    numbers.close();
    process.exit(0);
  });
  process.send?.('begun');
}
