/** The AsyncAPI 3 document: commands over MQTT, and the events that leave the reader. */
import type { Connection } from '../api/connection.js';
import { asyncMessages } from './asyncapi-messages.js';
import { addCommands, addEventConnections } from './asyncapi-mqtt.js';
import { AsyncApiParts } from './asyncapi-parts.js';
import { addStreams } from './asyncapi-streams.js';
import { DATA_EVENTS, type Events, MANAGEMENT_EVENTS } from './events.js';
import { examplesFor } from './examples.js';
import { limitsOf } from './limits.js';
import { type DocumentBasis, modelText } from './openapi.js';
import { schemaTable, usedSchemas } from './schema-table.js';

/** The connections of each path of the configuration. */
export interface ConfiguredConnections {
  data: readonly Connection[];
  control: readonly Connection[];
  management: readonly Connection[];
  managementEvents: readonly Connection[];
}

/** For who may not see them: every channel is there once, without its topic. */
export const UNNAMED: ConfiguredConnections = {
  data: [],
  control: [],
  management: [],
  managementEvents: [],
};

export interface AsyncApiBasis extends DocumentBasis {
  connections: ConfiguredConnections;
  /** Of the reader itself, as the client calls it: reader.example:8443. */
  host: string;
  managementEvents?: Events;
}

export function asyncApiDocument(basis: AsyncApiBasis): object {
  const { operations, version, facts, connections, host } = basis;
  const { managementEvents = MANAGEMENT_EVENTS } = basis;
  const parts = new AsyncApiParts();
  for (const kind of ['control', 'management'] as const) {
    addCommands(parts, kind, connections[kind], operations);
  }
  addEventConnections(parts, 'dataEvents', 'Tag data events', connections.data, DATA_EVENTS);
  if (Object.keys(managementEvents).length > 0) {
    const { managementEvents: places } = connections;
    addEventConnections(parts, 'managementEvents', 'Management events', places, managementEvents);
  }
  addStreams(parts, host);
  const { servers, channels, securitySchemes } = parts;
  const examples = examplesFor(facts);
  const messages = asyncMessages(operations, { ...DATA_EVENTS, ...managementEvents }, examples);
  const requests = operations.map(({ requestSchema }) => requestSchema);
  const schemas = schemaTable(limitsOf(facts), examples, requests);
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Singulate reader: commands and events',
      version,
      description:
        `The operations of the reader as MQTT commands, and its events.${modelText(facts)} ` +
        'A channel without an address is not configured, or needs a token to be seen.',
      license: { name: 'Apache-2.0' },
      tags: [
        { name: 'control', description: 'Reading tags' },
        { name: 'events', description: 'What the reader tells by itself' },
        { name: 'management', description: 'The reader itself' },
      ],
    },
    defaultContentType: 'application/json',
    servers,
    channels,
    operations: parts.operations,
    components: {
      securitySchemes,
      correlationIds: {
        commandId: {
          description: 'Of the client; a response has that of its command',
          location: '$message.payload#/command_id',
        },
      },
      messages,
      schemas: usedSchemas(schemas, messages),
    },
  };
}
