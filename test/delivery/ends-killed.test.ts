/** A web server, TCP and WebSocket clients that break off, or are killed, while events flow. */
import t from 'tap';
import { SHORT } from './killing.js';
import { tcpClientSurvives, webServerSurvives, webSocketClientSurvives } from './mortal-ends.js';

t.test('httpPost: every event arrives, or is reported lost', (t) => webServerSurvives(t, SHORT));
t.test('tcpip-server: the same', (t) => tcpClientSurvives(t, SHORT));
t.test('WEBSOCKET: the same', (t) => webSocketClientSurvives(t, SHORT));
