/** Connections of READER-GATEWAY.endpointConfig: where events go and commands come from. */
import { type Static, TextEnum, Type, when } from './schema.js';

const Port = Type.Integer({ minimum: 1, maximum: 65535 });

export const Batching = Type.Object(
  {
    reportingInterval: Type.Optional(
      Type.Integer({ minimum: -1, description: 'Milliseconds; 0 or -1 = off' }),
    ),
    maxPayloadSizePerReport: Type.Optional(
      Type.Unsafe<number | string>({
        type: ['integer', 'string'],
        minimum: -1,
        pattern: '^\\s*[0-9]+\\s*([kKmM]?[bB])?\\s*$',
        description: 'a number of bytes or a size such as "256KB"; 0 or -1 = off',
      }),
    ),
  },
  { description: 'Several events in one message; off if both values are 0 or -1' },
);
export type Batching = Static<typeof Batching>;

export const Retention = Type.Object(
  {
    throttle: Type.Optional(
      Type.Integer({ minimum: -1, description: 'Retained events per second; 0 or -1 = no limit' }),
    ),
    maxNumEvents: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 10_000_000, description: '0 = no retention' }),
    ),
    maxEventRetentionTimeInMin: Type.Optional(
      Type.Integer({ minimum: -1, description: '0 or -1 = no limit' }),
    ),
  },
  { description: 'Events kept while an endpoint is away' },
);
export type Retention = Static<typeof Retention>;

const Topics = Type.Array(Type.String({ minLength: 1 }));

export const MqttOptions = Type.Object(
  {
    endpoint: Type.Object({
      hostName: Type.String({ minLength: 1 }),
      port: Type.Optional(Port),
      protocol: Type.Optional(
        TextEnum(['tcp', 'ssl', 'ws', 'wss'], {
          description: 'Default tcp, or ssl with enableSecurity',
        }),
      ),
    }),
    enableSecurity: Type.Optional(Type.Boolean({ default: false })),
    security: Type.Optional(
      Type.Object({
        keyFormat: Type.Optional(TextEnum(['PEM'])),
        keyAlgorithm: Type.Optional(TextEnum(['RSA256'])),
        CACertificateFileLocation: Type.Optional(Type.String()),
        publicKeyFileLocation: Type.Optional(Type.String()),
        privateKeyFileLocation: Type.Optional(Type.String()),
        verifyHostName: Type.Optional(Type.Boolean({ default: true })),
        verifyPeer: Type.Optional(Type.Boolean({ default: true })),
      }),
    ),
    basicAuthentication: Type.Optional(
      Type.Object({ username: Type.String(), password: Type.String() }),
    ),
    additional: Type.Optional(
      Type.Object({
        keepAlive: Type.Optional(
          Type.Integer({ minimum: 0, maximum: 65535, default: 60, description: 'Seconds' }),
        ),
        cleanSession: Type.Optional(Type.Boolean({ default: true })),
        debug: Type.Optional(Type.Boolean()),
        reconnectDelay: Type.Optional(
          Type.Number({ minimum: 0, default: 1, description: 'Seconds before the first try' }),
        ),
        reconnectDelayMax: Type.Optional(
          Type.Number({ minimum: 0, default: 30, description: 'Longest wait; 0 = the default' }),
        ),
        clientId: Type.Optional(Type.String()),
        qos: Type.Optional(Type.Unsafe<0 | 1 | 2>({ enum: [0, 1, 2], default: 0 })),
        retain: Type.Optional(Type.Boolean({ default: false })),
      }),
    ),
    publishTopic: Topics,
    subscribeTopic: Type.Optional(Topics),
  },
  { description: 'Options of a connection of type mqtt' },
);
export type MqttOptions = Static<typeof MqttOptions>;

export const HttpPostOptions = Type.Object(
  {
    URL: Type.String({ pattern: '^[hH][tT][tT][pP][sS]?://.+', description: 'an http(s) URL' }),
    security: Type.Optional(
      Type.Object({
        verifyPeer: Type.Optional(Type.Boolean({ default: true })),
        verifyHost: Type.Optional(Type.Boolean({ default: true })),
        authenticationType: Type.Optional(
          TextEnum(['NONE', 'BASIC', 'TLS-Client'], { default: 'NONE' }),
        ),
        authenticationOptions: Type.Optional(
          Type.Object({
            username: Type.Optional(Type.String()),
            password: Type.Optional(Type.String()),
            publicKeyFileLocation: Type.Optional(Type.String()),
            privateKeyFileLocation: Type.Optional(Type.String()),
          }),
        ),
        CACertificateFileLocation: Type.Optional(Type.String()),
      }),
    ),
  },
  { description: 'Options of a connection of type httpPost' },
);
export type HttpPostOptions = Static<typeof HttpPostOptions>;

const common = {
  name: Type.Optional(Type.String()),
  description: Type.Optional(Type.String()),
  additionalOptions: Type.Optional(
    Type.Object({ batching: Type.Optional(Batching), retention: Type.Optional(Retention) }),
  ),
};

/** Where tag events go. */
export const DataConnection = Type.Object(
  {
    type: TextEnum(['mqtt', 'httpPost']),
    ...common,
    options: Type.Object({}),
  },
  {
    description: 'A destination of tag events',
    allOf: [
      when('type', 'mqtt', { properties: { options: MqttOptions } }),
      when('type', 'httpPost', { properties: { options: HttpPostOptions } }),
    ],
  },
);

/** Where commands come from and their responses go. */
export const CommandConnection = Type.Object(
  {
    type: TextEnum(['mqtt']),
    ...common,
    options: Type.Object(
      {
        ...MqttOptions.properties,
        subscribeTopic: Type.Array(Type.String({ minLength: 1 }), { minItems: 1 }),
      },
      { description: 'Options of an mqtt connection' },
    ),
  },
  { description: 'A channel of MQTT commands' },
);
export type CommandConnection = Static<typeof CommandConnection>;

/** A connection that has passed the schema of its path. */
export type Connection = Pick<CommandConnection, 'name' | 'description' | 'additionalOptions'> &
  ({ type: 'mqtt'; options: MqttOptions } | { type: 'httpPost'; options: HttpPostOptions });
