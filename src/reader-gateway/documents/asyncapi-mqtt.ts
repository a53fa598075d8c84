/** Commands and events on the connections of the configuration, in the AsyncAPI document. */
import { type Connection, isMqtt, type MqttConnection } from '../api/connection.js';
import { brokerAddress } from '../mqtt/broker-address.js';
import type { Operation } from '../operations/operation.js';
import { FAILED_COMMAND, responseName } from './asyncapi-messages.js';
import { AsyncApiParts, messageReference, numbered } from './asyncapi-parts.js';
import type { Events } from './events.js';

type Place = { topic: string | null; server?: { $ref: string } | undefined };

/** Where commands come in, and where their responses go. */
type CommandPair = { requests: Place; responses: Place };

const NOWHERE: Place = { topic: null };

/** A channel of commands, and one of responses, for each request topic. */
export function addCommands(
  parts: AsyncApiParts,
  kind: 'control' | 'management',
  connections: readonly Connection[],
  operations: readonly Operation[],
): void {
  const pairs: CommandPair[] = connections.filter(isMqtt).flatMap((connection) => {
    const { options } = connection;
    const server = broker(parts, connection);
    const [answers = null] = options.publishTopic;
    const { subscribeTopic = [] } = options;
    return subscribeTopic.map((topic) => ({
      requests: { topic, server },
      responses: { topic: answers, server },
    }));
  });
  if (pairs.length === 0) pairs.push({ requests: NOWHERE, responses: NOWHERE });
  pairs.forEach((pair, index) => {
    addCommandPair(parts, kind, pair, operations, index);
  });
}

function addCommandPair(
  parts: AsyncApiParts,
  kind: 'control' | 'management',
  { requests, responses }: CommandPair,
  operations: readonly Operation[],
  index: number,
): void {
  const requestChannel = parts.channel(numbered(`${kind}Commands`, index), {
    ...placed(requests),
    title: `Commands for ${kind}`,
    description:
      'Every command may be sent here, also those that are listed with the other channel. ' +
      'Commands of one connection run one after the other.',
    messages: messages(operations.map(({ mqttCommand }) => mqttCommand)),
  });
  const answers = [...operations.map(responseName), FAILED_COMMAND];
  const responseChannel = parts.channel(numbered(`${kind}Responses`, index), {
    ...placed(responses),
    title: `Responses to commands for ${kind}`,
    description: 'One for each command, with its command_id.',
    messages: messages(answers),
  });
  for (const operation of operations.filter(({ channel }) => channel === kind)) {
    const { mqttCommand, name, summary, method, path } = operation;
    parts.operations[numbered(name, index)] = {
      action: 'receive',
      title: mqttCommand,
      summary,
      description: `The same over REST: ${method} ${path}.`,
      tags: [{ name: kind }],
      channel: requestChannel,
      messages: AsyncApiParts.messagesOf(requestChannel, [mqttCommand]),
      reply: {
        channel: responseChannel,
        messages: AsyncApiParts.messagesOf(responseChannel, [
          responseName(operation),
          FAILED_COMMAND,
        ]),
      },
    };
  }
}

/** A channel for each topic that events go to, and each TCP port where they are fetched. */
export function addEventConnections(
  parts: AsyncApiParts,
  name: string,
  title: string,
  connections: readonly Connection[],
  events: Events,
): void {
  const places: Place[] = connections.filter(isMqtt).flatMap((connection) => {
    const server = broker(parts, connection);
    return connection.options.publishTopic.map((topic) => ({ topic, server }));
  });
  if (places.length === 0) places.push(NOWHERE);
  places.forEach((place, index) => {
    const channel = parts.channel(numbered(name, index), {
      ...placed(place),
      title,
      description: 'A message is one event, or with batching a JSON array of events.',
      messages: messages(Object.keys(events)),
    });
    parts.operations[numbered(`send${name[0]?.toUpperCase()}${name.slice(1)}`, index)] = {
      action: 'send',
      title,
      summary: `${title} as they come`,
      description: 'Each has a number (eventNum); one that was sent twice has the same number.',
      tags: [{ name: 'events' }],
      channel,
      messages: AsyncApiParts.messagesOf(channel, Object.keys(events)),
    };
  });
}

function placed({ topic, server }: Place) {
  return { address: topic, ...(server === undefined ? {} : { servers: [server] }) };
}

function messages(names: readonly string[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, messageReference(name)]));
}

/** Never with credentials. */
function broker(parts: AsyncApiParts, { options }: MqttConnection): { $ref: string } | undefined {
  const address = brokerAddress(options);
  if (address === undefined) return undefined;
  const { protocol, host, port, path } = address;
  const { security = {}, basicAuthentication, additional } = options;
  const hasKey =
    security.privateKeyFileLocation !== undefined ||
    security.installedCertificateName !== undefined;
  const schemes = [
    ...(basicAuthentication === undefined
      ? []
      : [parts.security('brokerPassword', { type: 'userPassword' })]),
    ...(hasKey ? [parts.security('brokerCertificate', { type: 'X509' })] : []),
  ];
  return parts.server('broker', {
    host: `${host.includes(':') ? `[${host}]` : host}:${port}`,
    ...(path === '' ? {} : { pathname: path }),
    protocol,
    protocolVersion: additional?.mqttVersion ?? '3.1.1',
    description: 'A broker that the reader connects to',
    ...(schemes.length === 0 ? {} : { security: schemes }),
  });
}
