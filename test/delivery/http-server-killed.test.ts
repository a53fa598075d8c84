/** A web server that is killed a hundred times while 2,000 events a second are posted to it. */
import t from 'tap';
import { HttpPostTransport } from '../../src/reader-gateway/delivery/transports/http-post.js';
import { systemClock } from '../../src/shared/clock.js';
import { until } from '../gateway/reader.js';
import { endpointOf, NO_CERTIFICATES } from './harness.js';
import { Flow, killAgainAndAgain, MortalServer } from './killing.js';

const KILLS = 100;

t.test('with retention every event arrives, without it every loss is told', async (t) => {
  const server = await MortalServer.start(t, 'http');
  const endpoint = (path: string, maxNumEvents: number) => {
    const URL = `http://127.0.0.1:${server.port}/${path}`;
    const batching = { reportingInterval: 20, maxPayloadSizePerReport: 256_000 };
    const transport = new HttpPostTransport({ URL }, NO_CERTIFICATES, systemClock);
    const retention = { maxNumEvents, throttle: 0 };
    return endpointOf(t, 'httpPost', transport, { retention, batching });
  };
  const kept = endpoint('kept', 150_000);
  const unkept = endpoint('unkept', 0);
  const flow = new Flow([kept, unkept]);
  await killAgainAndAgain(server, KILLS);
  const last = flow.stop();
  const settled = ({ counters }: typeof kept) => counters.retained === 0;
  await until('all is sent or lost', () => settled(kept) && settled(unkept), 120_000);
  await until(
    'the last loss is told',
    () => server.arrivals('unkept').unaccounted(last).length === 0,
    120_000,
  );

  const arrived = server.arrivals('kept');
  t.same(arrived.unaccounted(last), [], `every one of ${last} events arrived`);
  t.same(arrived.overflows, []);
  t.match(kept.counters, { sent: last, dropped: 0 });
  t.ok(kept.counters.retried > 0, 'some were sent twice');
  t.ok(server.arrivals('unkept').overflows.length > 0);
  t.equal(unkept.counters.sent + unkept.counters.dropped, last, 'sent or counted');
});
