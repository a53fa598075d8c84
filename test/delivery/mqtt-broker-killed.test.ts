/** A broker that is killed a hundred times while 2,000 events a second flow with QoS 1. */
import t from 'tap';
import { MqttTransport } from '../../src/reader-gateway/delivery/transports/mqtt.js';
import { endpointOf, NO_CERTIFICATES, silent } from './harness.js';
import { MortalServer, survives } from './killing.js';

t.test('with retention every event arrives, without it every loss is told', async (t) => {
  const server = await MortalServer.start(t, 'mqtt');
  const endpoint = (topic: string, maxNumEvents: number) => {
    const options = {
      endpoint: { hostName: '127.0.0.1', port: server.port },
      additional: { qos: 1 as const, reconnectDelay: 0.1, reconnectDelayMax: 0.2 },
      publishTopic: [topic],
    };
    const transport = new MqttTransport(options, NO_CERTIFICATES, silent);
    return endpointOf(t, 'mqtt', transport, { retention: { maxNumEvents, throttle: 0 } });
  };
  await survives(t, server, endpoint('kept', 150_000), endpoint('unkept', 0));
});
