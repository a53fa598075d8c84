/** What brokers of the clouds do not have is refused before anything is changed. */
import t from 'tap';
import { TestReader } from './reader.js';

const PATH = 'READER-GATEWAY.endpointConfig.data.event.connections';

t.test('one reader', async (t) => {
  const reader = await TestReader.start(t);
  t.teardown(() => reader.gateway.stop());
  const set = (...connections: object[]) =>
    reader.call('PUT', 'config', {
      'READER-GATEWAY': { endpointConfig: { data: { event: { connections } } } },
    });
  const cloud = (type: string, additional: object, options: object = {}) => ({
    type,
    name: type,
    options: {
      endpoint: { hostname: 'broker.invalid', port: 8883 },
      publishTopic: ['a'],
      additional,
      ...options,
    },
  });

  t.test('what the flavours forbid, all at once', async (t) => {
    const answer = await set(
      cloud('mqtt-AWS', { qos: 2, retain: true }),
      cloud('mqtt-AZURE', { qos: 2, retain: true }),
      cloud('mqtt', { qos: 2, retain: true }),
      cloud('mqtt-AWS', {}, { endpoint: { port: 8883 } }),
    );
    t.equal(answer.status, 400);
    t.equal(answer.json.code, 1);
    t.same(answer.json.message.split('; '), [
      `${PATH}[0].options.additional.qos: 2 is not one of 0, 1: brokers of mqtt-AWS have no QoS 2`,
      `${PATH}[1].options.additional.qos: 2 is not one of 0, 1: brokers of mqtt-AZURE have no QoS 2`,
      `${PATH}[1].options.additional.retain: true is not allowed: brokers of mqtt-AZURE retain nothing`,
      `${PATH}[3].name: "mqtt-AWS" is used twice`,
      `${PATH}[3].options.endpoint.hostName: is required`,
    ]);
  });

  t.test('what the additional fields must be, all at once', async (t) => {
    const answer = await set(
      cloud(
        'mqtt',
        {
          mqttVersion: '4',
          will: { payload: 'gone', qos: 3 },
          birth: { topic: 'state/#', retain: 'yes' },
        },
        { security: { installedCertificateName: '../key', keyFormant: 'DER' } },
      ),
    );
    const options = `${PATH}[0].options`;
    t.equal(answer.status, 400);
    t.same(
      new Set(answer.json.message.split('; ')),
      new Set([
        `${options}.additional.mqttVersion: "4" is not one of 3.1.1, 5`,
        `${options}.additional.will.topic: is required`,
        `${options}.additional.will.qos: 3 is not one of 0, 1, 2`,
        `${options}.additional.birth.topic: "state/#" is not a topic without wildcards`,
        `${options}.additional.birth.retain: "yes" is not true or false`,
        `${options}.security.installedCertificateName: "../key" is not the name of an installed certificate (letters, digits, "_", "." and "-")`,
        `${options}.security.keyFormant: "DER" is not one of PEM`,
      ]),
    );
  });

  t.test('what they have is taken, and comes back as it was given', async (t) => {
    const connections = [
      cloud('mqtt-AWS', { qos: 1, retain: true, mqttVersion: '5' }),
      cloud('mqtt-AZURE', { qos: 1 }, { security: { keyFormant: 'PEM', keyAlgorithm: 'RSA256' } }),
      cloud('mqtt', {
        qos: 2,
        will: { topic: 'state', payload: 'gone', retain: true },
        birth: { topic: 'state', payload: 'here', retain: true },
      }),
    ];
    t.match(await set(...connections), { status: 200, text: '' });
    const { json } = await reader.call('GET', 'config');
    t.same(json['READER-GATEWAY'].endpointConfig.data.event.connections, connections);
  });
});
