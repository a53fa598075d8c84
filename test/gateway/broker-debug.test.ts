/** The packets of an mqtt connection in the log, as its `additional.debug` asks for. */
import { type Logger, pino } from 'pino';
import t from 'tap';
import type { MqttOptions } from '../../src/reader-gateway/api/connection.js';
import { MqttTransport } from '../../src/reader-gateway/delivery/transports/mqtt.js';
import { Certificates } from '../../src/reader-gateway/tls/certificates.js';
import { TestBroker, temporaryFolder, until } from './reader.js';

t.test('each packet is a line, without what it carries and without the login', async (t) => {
  const broker = new TestBroker();
  await broker.start();
  t.teardown(() => broker.stop());
  const told = async (debug: boolean) => {
    const lines: string[] = [];
    const log: Logger = pino({ base: null }, { write: (line: string) => void lines.push(line) });
    const options: MqttOptions = {
      endpoint: { hostName: '127.0.0.1', port: broker.port },
      basicAuthentication: { username: 'reader', password: 'not for the log' },
      additional: { debug },
      publishTopic: ['tags'],
    };
    const transport = new MqttTransport(options, new Certificates(temporaryFolder(t)), log);
    let connected = false;
    transport.open({
      onState: ({ phase }) => {
        connected = phase === 'up';
      },
      onRetry() {},
      onRoom() {},
    } as Parameters<MqttTransport['open']>[0]);
    await until('it is connected', () => connected);
    await new Promise((resolve) => transport.send(Buffer.from('secret tag'), resolve, false));
    await transport.close();
    return lines;
  };
  t.same(await told(false), []);
  const lines = await told(true);
  const packets = lines.map((line) => JSON.parse(line));
  const where = { broker: `127.0.0.1:${broker.port}` };
  t.match(packets[0], { ...where, direction: 'received', packet: 'connack', code: 0 });
  t.match(packets[1], {
    ...where,
    direction: 'sent',
    packet: 'publish',
    topic: 'tags',
    qos: 0,
    bytes: 10,
  });
  t.notMatch(lines.join(''), /secret tag|not for the log/);
});
