/** A broker that is killed a hundred times while 2,000 events a second flow with QoS 1. */
import t from 'tap';
import { MqttTransport } from '../../src/reader-gateway/delivery/transports/mqtt.js';
import { until } from '../gateway/reader.js';
import { endpointOf, NO_CERTIFICATES } from './harness.js';
import { Flow, killAgainAndAgain, MortalServer } from './killing.js';

const KILLS = 100;

t.test('with retention every event arrives, without it every loss is told', async (t) => {
  const server = await MortalServer.start(t, 'mqtt');
  const endpoint = (topic: string, maxNumEvents: number) => {
    const options = {
      endpoint: { hostName: '127.0.0.1', port: server.port },
      additional: { qos: 1 as const, reconnectDelay: 0.1, reconnectDelayMax: 0.2 },
      publishTopic: [topic],
    };
    const transport = new MqttTransport(options, NO_CERTIFICATES);
    return endpointOf(t, 'mqtt', transport, { retention: { maxNumEvents, throttle: 0 } });
  };
  const kept = endpoint('kept', 150_000);
  const unkept = endpoint('unkept', 0);
  const flow = new Flow([kept, unkept]);
  await killAgainAndAgain(server, KILLS);
  const last = flow.stop();
  const settled = ({ counters }: typeof kept) => counters.retained === 0;
  await until('all is sent or lost', () => settled(kept) && settled(unkept), 120_000);
  // Without a next event nothing would carry the last loss: the overflow event goes by itself.
  await until(
    'the last loss is told',
    () => server.arrivals('unkept').unaccounted(last).length === 0,
    60_000,
  );

  const arrived = server.arrivals('kept');
  t.same(arrived.unaccounted(last), [], `every one of ${last} events arrived`);
  t.same(arrived.overflows, []);
  t.match(kept.counters, { sent: last, dropped: 0 });
  t.ok(kept.counters.retried > 0, 'some were sent twice');

  const told = server.arrivals('unkept');
  t.ok(told.overflows.length > 0, `${told.overflows.length} losses were told`);
  const lost = told.overflows.reduce((sum, overflow) => sum + overflow.lost, 0);
  t.equal(unkept.counters.sent + unkept.counters.dropped, last, 'sent or counted');
  t.ok(lost >= last - told.distinct.size, 'as many as did not arrive, or more');
});
