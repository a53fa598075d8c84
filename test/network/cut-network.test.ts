/** A cable that is cut again and again while 2,000 events a second flow over MQTT (QoS 1) and HTTP. */
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import { HttpPostTransport } from '../../src/reader-gateway/delivery/transports/http-post.js';
import { MqttTransport } from '../../src/reader-gateway/delivery/transports/mqtt.js';
import { systemClock } from '../../src/shared/clock.js';
import { endpointOf, NO_CERTIFICATES, silent } from '../delivery/harness.js';
import { arrivalsIn, Flow } from '../delivery/killing.js';
import { temporaryFolder, until } from '../gateway/reader.js';
import { Cable, PEER_ADDRESS } from './cable.js';

const SERVER = fileURLToPath(new URL('../delivery/arrivals-server.js', import.meta.url));
const CUTS = 8;

async function serverOn(t: Test, cable: Cable, kind: 'mqtt' | 'http', port: number) {
  const file = join(temporaryFolder(t), kind);
  const child = cable.run(SERVER, [kind, String(port), file, PEER_ADDRESS]);
  await once(child, 'message');
  const listening = once(child, 'message');
  child.send('listen');
  await listening;
  return (channel: string) => arrivalsIn(file, channel);
}

t.test('with retention all arrives, without it every loss is reported', async (t) => {
  const cable = await Cable.lay(t);
  const [onBroker, onWeb] = [
    await serverOn(t, cable, 'mqtt', 1883),
    await serverOn(t, cable, 'http', 8080),
  ];
  const mqtt = (topic: string, maxNumEvents: number) => {
    const options = {
      endpoint: { hostName: PEER_ADDRESS },
      // A dead connection shows after one and a half of this.
      additional: { qos: 1 as const, keepAlive: 1, reconnectDelay: 0.1, reconnectDelayMax: 0.2 },
      publishTopic: [topic],
    };
    const transport = new MqttTransport(options, NO_CERTIFICATES, silent);
    return endpointOf(t, 'mqtt', transport, { retention: { maxNumEvents, throttle: 0 } });
  };
  const post = (path: string, maxNumEvents: number) => {
    const transport = new HttpPostTransport(
      { URL: `http://${PEER_ADDRESS}:8080/${path}` },
      NO_CERTIFICATES,
      systemClock,
    );
    const batching = { reportingInterval: 50, maxPayloadSizePerReport: 100_000 };
    const retention = { maxNumEvents, throttle: 0 };
    return endpointOf(t, 'httpPost', transport, { retention, batching });
  };
  const endpoints = {
    kept: { mqtt: mqtt('kept', 150_000), http: post('kept', 150_000) },
    unkept: { mqtt: mqtt('unkept', 0), http: post('unkept', 0) },
  };
  const all = Object.values(endpoints).flatMap((pair) => Object.values(pair));
  const flow = new Flow(all);
  for (let i = 0; i < CUTS; i++) {
    await sleep(300 + Math.random() * 700);
    cable.cut();
    // Some are over before anybody has noticed.
    await sleep(100 + Math.random() * 4000);
    cable.mend();
  }
  const last = flow.stop();
  const settled = () => all.every(({ counters }) => counters.retained === 0);
  await until('all is sent or lost', settled, 60_000);
  for (const [kind, arrivals] of [
    ['mqtt', onBroker],
    ['http', onWeb],
  ] as const) {
    await until(
      'the last loss is reported',
      () => arrivals('unkept').unaccounted(last).length === 0,
      40_000,
    );
    t.same(arrivals('kept').unaccounted(last), [], `${kind}: all ${last} events arrived`);
    t.same(arrivals('kept').overflows, []);
    t.match(endpoints.kept[kind].counters, { sent: last, dropped: 0 });
    const { sent, dropped } = endpoints.unkept[kind].counters;
    t.equal(sent + dropped, last, `${kind}: ${dropped} were lost and reported`);
  }
});
