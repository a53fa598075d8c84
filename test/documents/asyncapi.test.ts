/** The AsyncAPI document: channels and servers as they are configured, without secrets. */
import t from 'tap';
import { Status } from '../../src/reader-gateway/api/status.js';
import {
  type AsyncApiBasis,
  asyncApiDocument,
  UNNAMED,
} from '../../src/reader-gateway/documents/asyncapi.js';
import { OPERATIONS } from '../../src/reader-gateway/operations/table.js';
import { asSent } from './compiled.js';
import { SAMPLE_CONNECTIONS } from './sample-facts.js';

const document = (more: Partial<AsyncApiBasis>) =>
  asSent(
    asyncApiDocument({
      operations: OPERATIONS,
      version: '1.0.0',
      facts: undefined,
      host: 'reader.local:8443',
      connections: SAMPLE_CONNECTIONS,
      ...more,
    }),
  );

t.test('every request topic is a channel, with the responses to it', async (t) => {
  const { channels, operations } = document({});
  t.match(channels, {
    controlCommands: { address: 'control/in' },
    controlCommands2: { address: 'control/also' },
    controlResponses: { address: 'control/out' },
    managementCommands: { address: 'management/in' },
    managementCommands2: { address: 'other/in' },
    dataEvents: { address: 'tags/one' },
    dataEvents2: { address: 'tags/two' },
    dataEvents3: { address: 'more tags/out' },
    webSocket: { address: '/ws' },
    eventStream: { address: '/cloud/events' },
  });
  t.match(operations.setMode2, {
    title: 'set_mode',
    channel: { $ref: '#/channels/controlCommands2' },
    reply: { channel: { $ref: '#/channels/controlResponses2' } },
  });
});

t.test('brokers are told once, and never their passwords', async (t) => {
  const sent = document({});
  t.match(sent.servers, {
    broker: { host: 'broker.local:8883', protocol: 'mqtts', protocolVersion: '3.1.1' },
    broker2: { host: '[2001:db8::7]:8080', pathname: '/mqtt', protocol: 'ws' },
    reader: { host: 'reader.local:8443', protocol: 'https' },
    readerWebSocket: { protocol: 'wss' },
  });
  t.equal(Object.keys(sent.servers).length, 4);
  t.notMatch(JSON.stringify(sent), /secret of|user of the broker|key=secret/);
});

t.test('without connections every channel is there, and has no topic', async (t) => {
  const { channels, servers } = document({ connections: UNNAMED });
  t.strictSame(Object.keys(servers), ['reader', 'readerWebSocket']);
  for (const name of ['controlCommands', 'managementResponses', 'dataEvents']) {
    t.equal(channels[name].address, null, name);
  }
});

t.test('a command and its response belong together by command_id', async (t) => {
  const { components } = document({});
  for (const { mqttCommand } of OPERATIONS) {
    for (const name of [mqttCommand, `${mqttCommand}.response`]) {
      const { correlationId, payload } = components.messages[name];
      t.equal(correlationId.$ref, '#/components/correlationIds/commandId');
      t.equal(payload.properties.command.const, mqttCommand);
      t.ok(payload.properties.command_id);
    }
  }
});

t.test(
  'management events have their topics, and their schemas are those that were given',
  async (t) => {
    t.equal(document({}).channels.managementEvents.address, 'health/out');
    const { channels, components } = document({ managementEvents: { heartbeat: Status } });
    t.equal(channels.managementEvents.address, 'health/out');
    t.strictSame(components.messages.heartbeat.payload, {
      $ref: '#/components/schemas/Statistics',
    });
  },
);
