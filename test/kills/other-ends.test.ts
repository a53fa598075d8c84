/** A web server, TCP and WebSocket clients that break off 200 times and are killed 200 times. */
import t from 'tap';
import { killsOf, LONG } from '../delivery/killing.js';
import {
  tcpClientSurvives,
  webServerSurvives,
  webSocketClientSurvives,
} from '../delivery/mortal-ends.js';

const EACH = { ...LONG, mostMs: killsOf(90_000) };

t.test('httpPost: every event arrives, or is reported lost', (t) => webServerSurvives(t, EACH));
t.test('tcpip-server: the same', (t) => tcpClientSurvives(t, EACH));
t.test('WEBSOCKET: the same', (t) => webSocketClientSurvives(t, EACH));
