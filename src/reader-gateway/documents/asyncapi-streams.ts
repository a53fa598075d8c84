/** The streams that clients open at the reader itself, in the AsyncAPI document. */
import { STREAM_CLOSED } from './asyncapi-messages.js';
import { AsyncApiParts, messageReference } from './asyncapi-parts.js';
import { DATA_EVENTS } from './events.js';

/** @param host Of the reader, with its port. */
export function addStreams(parts: AsyncApiParts, host: string): void {
  const security = [
    parts.security('bearer', { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' }),
    parts.security('accessToken', { type: 'httpApiKey', in: 'query', name: 'access_token' }),
  ];
  const names = [...Object.keys(DATA_EVENTS), STREAM_CLOSED];
  const messages = Object.fromEntries(names.map((name) => [name, messageReference(name)]));
  const description = 'A token is needed, in the Authorization header or as access_token.';
  const https = parts.server('reader', { host, protocol: 'https', description, security });
  const wss = parts.server('readerWebSocket', {
    host,
    protocol: 'wss',
    description: `${description} Not needed where a connection of type WEBSOCKET is configured.`,
    security,
  });
  const events = parts.channel('eventStream', {
    address: '/cloud/events',
    title: 'Events over HTTPS',
    description:
      'after=NUMBER goes on after that event. What a stream missed is reported by an overflowEvent.',
    servers: [https],
    messages,
  });
  const socket = parts.channel('webSocket', {
    address: '/ws',
    title: 'Events over a WebSocket',
    description: 'after=NUMBER goes on after that event. Clients have nothing to say.',
    servers: [wss],
    messages,
  });
  const streams = [
    [
      'streamLines',
      events,
      'Lines of JSON (NDJSON), one event on each; an empty line now and then',
    ],
    ['streamServerSentEvents', events, 'Server-sent events, if Accept asks for text/event-stream'],
    ['streamWebSocket', socket, 'Text messages of one or more events, a line feed between them'],
  ] as const;
  for (const [name, channel, text] of streams) {
    parts.operations[name] = {
      action: 'send',
      title: name,
      summary: 'Events to all who listen',
      description: text,
      tags: [{ name: 'events' }],
      channel,
      messages: AsyncApiParts.messagesOf(channel, names),
    };
  }
}
