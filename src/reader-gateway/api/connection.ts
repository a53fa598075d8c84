/** Connections of READER-GATEWAY.endpointConfig: where events go and commands come from. */
import { orNull, type Static, TextEnum, type TSchema, Type, when } from './schema.js';
import { LARGEST_MESSAGE_BYTES, LARGEST_SPILL_BYTES } from './sizes.js';
import { MAX_WAIT_MS } from './waits.js';

/** A day: who tries more seldom waits for a person anyway. */
const MAX_RECONNECT_S = 86_400;
const TEN_YEARS_MIN = 5_256_000;

const Port = Type.Integer({ minimum: 1, maximum: 65535 });

const SIZE = '^\\s*[0-9]+\\s*([kKmM]?[bB])?\\s*$';
const Size = Type.Unsafe<number | string>({
  type: ['integer', 'string'],
  minimum: 1,
  maximum: LARGEST_SPILL_BYTES,
  pattern: SIZE,
  default: '64MB',
  description: 'a number of bytes or a size such as "64MB"',
});

export const Batching = Type.Object(
  {
    reportingInterval: Type.Optional(
      Type.Integer({
        minimum: -1,
        maximum: MAX_WAIT_MS,
        description: 'Milliseconds; 0 or -1 = off',
      }),
    ),
    maxPayloadSizePerReport: Type.Optional(
      Type.Unsafe<number | string>({
        type: ['integer', 'string'],
        minimum: -1,
        maximum: LARGEST_MESSAGE_BYTES,
        pattern: SIZE,
        description: 'a number of bytes or a size such as "256KB", at most 1MB; 0 or -1 = off',
      }),
    ),
  },
  { description: 'Several events in one message; off if both values are 0 or -1' },
);
export type Batching = Static<typeof Batching>;

export const Retention = Type.Object(
  {
    throttle: Type.Optional(
      Type.Integer({
        minimum: -1,
        maximum: 10_000_000,
        default: 100,
        description: 'Retained events per second; 0 or -1 = no limit',
      }),
    ),
    maxNumEvents: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 10_000_000,
        default: 150_000,
        description: '0 = no retention',
      }),
    ),
    maxEventRetentionTimeInMin: Type.Optional(
      Type.Integer({
        minimum: -1,
        maximum: TEN_YEARS_MIN,
        default: 0,
        description: '0 or -1 = no limit',
      }),
    ),
    spillToDisk: Type.Optional(
      Type.Boolean({ default: false, description: 'Kept on disk, and across a reboot' }),
    ),
    maxSpillSize: Type.Optional(Size),
  },
  { description: 'Events kept while an endpoint is away' },
);
export type Retention = Static<typeof Retention>;

const Topics = (options: object = {}) => Type.Array(Type.String({ minLength: 1 }), options);
const TopicName = Type.String({ pattern: '^[^#+]+$', description: 'a topic without wildcards' });
const Qos = Type.Unsafe<0 | 1 | 2>({ enum: [0, 1, 2], default: 0 });

/** Certificates by the name they were installed under, or by their files. */
const certificates = {
  CACertificateFileLocation: Type.Optional(Type.String()),
  installedCertificateName: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9_.-]{0,128}$',
      description: 'the name of an installed certificate (letters, digits, "_", "." and "-")',
    }),
  ),
  installedCertificateType: Type.Optional(TextEnum(['server', 'client', 'app'])),
};

const Statement = Type.Object(
  {
    topic: TopicName,
    payload: Type.Optional(Type.String({ default: '' })),
    qos: Type.Optional(Qos),
    retain: Type.Optional(Type.Boolean({ default: false })),
  },
  { description: 'A message about the connection itself' },
);

export const MqttOptions = Type.Object(
  {
    endpoint: Type.Unsafe<string | MqttEndpoint>({
      type: ['object', 'string'],
      properties: {
        hostName: Type.String({ minLength: 1 }),
        hostname: Type.String({ minLength: 1, description: 'The same as hostName' }),
        port: Port,
        protocol: TextEnum(['tcp', 'ssl', 'ws', 'wss'], {
          description: 'Default tcp, or ssl with enableSecurity',
        }),
      },
      pattern: '^((tcp|mqtt|ssl|mqtts|ws|wss)://)?[^\\s/]+(/\\S*)?$',
      description: 'a broker such as "ssl://broker.example:8883"',
    }),
    enableSecurity: Type.Optional(Type.Boolean({ default: false })),
    security: Type.Optional(
      Type.Object({
        keyFormat: Type.Optional(TextEnum(['PEM'])),
        keyFormant: Type.Optional(TextEnum(['PEM'])),
        keyAlgorithm: Type.Optional(TextEnum(['RSA256'])),
        publicKeyFileLocation: Type.Optional(Type.String()),
        privateKeyFileLocation: Type.Optional(Type.String()),
        verifyHostName: Type.Optional(Type.Boolean({ default: true })),
        verifyPeer: Type.Optional(Type.Boolean({ default: true })),
        ...certificates,
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
        debug: Type.Optional(
          Type.Boolean({ default: false, description: 'Each packet is a line of the log' }),
        ),
        reconnectDelay: Type.Optional(
          Type.Number({
            minimum: 0,
            maximum: MAX_RECONNECT_S,
            default: 1,
            description: 'Seconds before the first try',
          }),
        ),
        reconnectDelayMax: Type.Optional(
          Type.Number({
            minimum: 0,
            maximum: MAX_RECONNECT_S,
            default: 30,
            description: 'Longest wait, seconds; 0 = the default',
          }),
        ),
        clientId: Type.Optional(Type.String({ description: 'Needed with cleanSession false' })),
        qos: Type.Optional(Qos),
        retain: Type.Optional(Type.Boolean({ default: false })),
        mqttVersion: Type.Optional(TextEnum(['3.1.1', '5'], { default: '3.1.1' })),
        will: Type.Optional(Statement),
        birth: Type.Optional(Statement),
      }),
    ),
    publishTopic: Topics({ minItems: 1, description: 'Without wildcards' }),
    subscribeTopic: Type.Optional(Topics()),
  },
  { description: 'Options of a connection of type mqtt, mqtt-AWS or mqtt-AZURE' },
);
export type MqttOptions = Static<typeof MqttOptions>;

export interface MqttEndpoint {
  hostName?: string;
  hostname?: string;
  port?: number;
  protocol?: 'tcp' | 'ssl' | 'ws' | 'wss';
}

export const HttpPostOptions = Type.Object(
  {
    URL: Type.String({ pattern: '^[hH][tT][tT][pP][sS]?://.+', description: 'an http(s) URL' }),
    security: Type.Optional(
      Type.Object({
        verifyPeer: Type.Optional(Type.Boolean({ default: true })),
        verifyHost: Type.Optional(Type.Boolean({ default: true })),
        authenticationType: Type.Optional(
          TextEnum(['NONE', 'BASIC', 'BEARER', 'TLS-Client'], { default: 'NONE' }),
        ),
        authenticationOptions: Type.Optional(
          Type.Object({
            username: Type.Optional(Type.String()),
            password: Type.Optional(Type.String()),
            token: Type.Optional(
              Type.String({
                pattern: '^[\\x21-\\x7e]+$',
                description: 'a token without spaces, sent as "Authorization: Bearer ..."',
              }),
            ),
            publicKeyFileLocation: Type.Optional(Type.String()),
            privateKeyFileLocation: Type.Optional(Type.String()),
          }),
        ),
        ...certificates,
      }),
    ),
    additional: Type.Optional(
      Type.Object({
        reconnectDelay: Type.Optional(
          Type.Number({
            minimum: 0,
            maximum: MAX_RECONNECT_S,
            default: 0.5,
            description: 'Seconds before the first new try; never less than 0.1',
          }),
        ),
        reconnectDelayMax: Type.Optional(
          Type.Number({
            minimum: 0,
            maximum: MAX_RECONNECT_S,
            default: 30,
            description: 'Longest wait, also of a Retry-After; 0 = the default',
          }),
        ),
        maxTries: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: 1_000_000,
            description:
              'Tries after which a message is dropped, whatever the reason; 0 = never. Without it: 3 for a message that the server refuses (HTTP status 400, 409, 413, 415, 422), never otherwise',
          }),
        ),
      }),
    ),
  },
  { description: 'Options of a connection of type httpPost' },
);
export type HttpPostOptions = Static<typeof HttpPostOptions>;

export const TcpServerOptions = Type.Object(
  {
    tcpipport: Type.Unsafe<string | number>({
      type: ['string', 'integer'],
      pattern: '^0*[1-9][0-9]{0,4}$',
      minimum: 1,
      maximum: 65535,
      description: 'a port of 1 to 65535',
    }),
    enableSecurity: Type.Optional(Type.Boolean({ default: false })),
    security: Type.Optional(
      Type.Object(
        {
          verifyPeer: Type.Optional(
            Type.Boolean({ default: false, description: 'Clients need a certificate' }),
          ),
          useLocalCerts: Type.Optional(
            Type.Boolean({ description: 'Serve with the certificate of this reader' }),
          ),
          ...certificates,
        },
        { description: 'With enableSecurity' },
      ),
    ),
    additional: Type.Optional(
      Type.Object({
        keepAlive: Type.Optional(
          Type.Integer({ minimum: 60, maximum: 14_400, default: 7200, description: 'Seconds' }),
        ),
        keepAliveInterval: Type.Optional(
          Type.Integer({ minimum: 60, maximum: 120, default: 60, description: 'Seconds' }),
        ),
        keepAliveCount: Type.Optional(Type.Integer({ minimum: 1, maximum: 20, default: 10 })),
      }),
    ),
  },
  { description: 'Options of a connection of type tcpip-server: the reader listens' },
);
export type TcpServerOptions = Static<typeof TcpServerOptions>;

export const WebSocketOptions = Type.Object(
  {
    security: Type.Optional(
      Type.Object({
        verifyPeer: Type.Optional(Type.Boolean()),
        verifyHost: Type.Optional(Type.Boolean()),
      }),
    ),
  },
  { description: 'Options of a connection of type WEBSOCKET: clients come to /ws' },
);
export type WebSocketOptions = Static<typeof WebSocketOptions>;

const common = {
  name: Type.Optional(Type.String()),
  description: Type.Optional(Type.String()),
  additionalOptions: Type.Optional(
    orNull(
      Type.Object({
        batching: Type.Optional(orNull(Batching)),
        retention: Type.Optional(orNull(Retention)),
      }),
    ),
  ),
};

/** The MQTT flavours differ in what their brokers allow. */
export const MQTT_TYPES = ['mqtt', 'mqtt-AWS', 'mqtt-AZURE'] as const;
export type MqttType = (typeof MQTT_TYPES)[number];

const OPTIONS = {
  mqtt: MqttOptions,
  'mqtt-AWS': MqttOptions,
  'mqtt-AZURE': MqttOptions,
  httpPost: HttpPostOptions,
  'tcpip-server': TcpServerOptions,
  WEBSOCKET: WebSocketOptions,
} as const satisfies Record<string, TSchema>;
type DataType = keyof typeof OPTIONS;

/** Where tag events go, or management events. */
export const DataConnection = Type.Object(
  {
    type: TextEnum(Object.keys(OPTIONS) as [DataType, ...DataType[]]),
    ...common,
    // Of every type its own, below.
    options: Type.Optional(Type.Object({}, { additionalProperties: true })),
  },
  {
    description: 'A destination of tag events or management events',
    allOf: Object.entries(OPTIONS).map(([type, options]) =>
      when('type', type, {
        properties: { options },
        // Only a WEBSOCKET needs none.
        ...(type === 'WEBSOCKET' ? {} : { required: ['options'] }),
      }),
    ),
  },
);

/** Where commands come from and their responses go. */
export const CommandConnection = Type.Object(
  {
    type: TextEnum(MQTT_TYPES),
    ...common,
    options: Type.Object(
      {
        ...MqttOptions.properties,
        subscribeTopic: Topics({
          minItems: 1,
          description: 'None may cover a topic that this reader publishes under on the same broker',
        }),
      },
      { description: 'Options of an mqtt connection' },
    ),
  },
  { description: 'A channel of MQTT commands' },
);
export type CommandConnection = Static<typeof CommandConnection>;

export type MqttConnection = Common & { type: MqttType; options: MqttOptions };

/** A connection that has passed the schema of its path. */
export type Connection =
  | MqttConnection
  | (Common & { type: 'httpPost'; options: HttpPostOptions })
  | (Common & { type: 'tcpip-server'; options: TcpServerOptions })
  | (Common & { type: 'WEBSOCKET'; options?: WebSocketOptions });

type Common = Pick<CommandConnection, 'name' | 'description' | 'additionalOptions'>;

export function isMqtt(connection: Connection): connection is MqttConnection {
  return (MQTT_TYPES as readonly string[]).includes(connection.type);
}
