/** MQTT 5: a command that waited longer than its sender allowed is not carried out. */
import { createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import packets, { type IPublishPacket, type Packet } from 'mqtt-packet';
import t from 'tap';
import { listen, mqttTo } from './connection-tests.js';
import { TestReader, until } from './reader.js';

const MQTT_5 = { protocolVersion: 5 };

/** As much of an MQTT 5 broker as one client needs. */
function broker(onReader: (socket: Socket) => void, onAnswer: (answer: IPublishPacket) => void) {
  return createServer((socket) => {
    const send = (packet: Packet) => socket.write(packets.generate(packet, MQTT_5));
    const parser = packets.parser(MQTT_5);
    parser.on('packet', (packet: Packet) => {
      if (packet.cmd === 'connect') {
        send({ cmd: 'connack', sessionPresent: false, reasonCode: 0 });
      } else if (packet.cmd === 'subscribe') {
        send({ cmd: 'suback', messageId: packet.messageId ?? 0, granted: [0] });
        onReader(socket);
      } else if (packet.cmd === 'publish') {
        onAnswer(packet);
      }
    });
    socket.on('data', (bytes) => parser.parse(bytes));
    socket.on('error', () => {});
  });
}

t.test('a command carries the seconds it may wait', async (t) => {
  let reader: Socket | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: answers
  const answers: any[] = [];
  const port = await listen(
    t,
    broker(
      (socket) => {
        reader = socket;
      },
      ({ payload }) => answers.push(JSON.parse(payload.toString())),
    ),
  );
  // Holds up a test of a connection, and all that waits for its turn after it.
  let held: Socket | undefined;
  const silent = await listen(
    t,
    createServer((socket) => {
      held = socket.on('error', () => {});
    }),
  );
  const gateway = await TestReader.start(t);
  t.teardown(async () => {
    await gateway.gateway.stop();
    reader?.destroy();
    held?.destroy();
  });
  const connection = mqttTo(`tcp://127.0.0.1:${port}`, {
    publishTopic: ['answers'],
    subscribeTopic: ['commands'],
    additional: { mqttVersion: '5' },
  });
  const endpointConfig = { management: { commandResponse: { connections: [connection] } } };
  const set = await gateway.call('PUT', 'config', { 'READER-GATEWAY': { endpointConfig } });
  t.equal(set.status, 200, set.text);
  await until('the reader has subscribed', () => reader !== undefined);
  const send = (command: string, id: string, payload: object, expiryS?: number) => {
    const packet: IPublishPacket = {
      cmd: 'publish',
      topic: 'commands',
      payload: JSON.stringify({ command, command_id: id, payload }),
      qos: 0,
      dup: false,
      retain: false,
      ...(expiryS === undefined ? {} : { properties: { messageExpiryInterval: expiryS } }),
    };
    reader?.write(packets.generate(packet, MQTT_5));
  };
  send('test_connection', 'long', mqttTo(`tcp://127.0.0.1:${silent}`));
  await until('the command before is under way', () => held !== undefined);
  send('start', 'expired', {}, 1);
  send('get_version', 'in time', {}, 600);
  send('get_version', 'whenever', {});
  await sleep(1500);
  held?.destroy();
  await until('all have their answers', () => answers.length === 4);
  t.same(answers.map((answer) => answer.command_id).sort(), [
    'expired',
    'in time',
    'long',
    'whenever',
  ]);
  const [expired] = answers.filter((answer) => answer.command_id === 'expired');
  t.match(expired, {
    command: 'start',
    response: 'failure',
    payload: { code: 3, message: /message expiry interval \(1 s\): this one was not carried out/ },
  });
  const done = answers.filter(({ response }) => response === 'success');
  t.same(done.map((answer) => answer.command_id).sort(), ['in time', 'long', 'whenever']);
  const status = await gateway.call('GET', 'status');
  t.equal(status.json.radioActivity, 'inactive', 'the start was not carried out');
});
