/** A web server that is killed a hundred times while 2,000 events a second are posted to it. */
import t from 'tap';
import { HttpPostTransport } from '../../src/reader-gateway/delivery/transports/http-post.js';
import { systemClock } from '../../src/shared/clock.js';
import { endpointOf, NO_CERTIFICATES } from './harness.js';
import { MortalServer, survives } from './killing.js';

t.test('with retention every event arrives, without it every loss is told', async (t) => {
  const server = await MortalServer.start(t, 'http');
  const endpoint = (path: string, maxNumEvents: number) => {
    const URL = `http://127.0.0.1:${server.port}/${path}`;
    const batching = { reportingInterval: 20, maxPayloadSizePerReport: 256_000 };
    const transport = new HttpPostTransport({ URL }, NO_CERTIFICATES, systemClock);
    const retention = { maxNumEvents, throttle: 0 };
    return endpointOf(t, 'httpPost', transport, { retention, batching });
  };
  await survives(t, server, endpoint('kept', 150_000), endpoint('unkept', 0));
});
