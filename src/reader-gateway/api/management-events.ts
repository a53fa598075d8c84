/** The managementEventConfig part of the reader configuration, and the events themselves. */
import { orNull, type Static, TextEnum, Type } from './schema.js';
import { MAX_WAIT_MS, MAX_WAIT_S } from './waits.js';

const Limit = Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_WAIT_MS }));
const Degrees = Type.Optional(Type.Integer({ minimum: 0, maximum: 1000 }));
const Percent = Type.Optional(Type.Integer({ minimum: 0, maximum: 100, description: 'Percent' }));
const Seconds = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: MAX_WAIT_S,
    description: 'Seconds from report to report; 0 = one report',
  }),
);

export interface EventEntry {
  threshold?: number;
  reportIntervalInSec?: number;
  ambient?: number;
  pa?: number;
}

// The shapes of single entries differ between readers (boolean here, threshold there): both are taken.
const entry = (properties: object, description: string) =>
  Type.Optional(
    Type.Unsafe<boolean | EventEntry>({
      type: ['boolean', 'object', 'null'],
      properties: { ...properties, reportIntervalInSec: Seconds },
      description,
    }),
  );

const used = (what: string) => entry({ threshold: Percent }, `${what} in use, percent`);
const state = (what: string) => entry({ threshold: Limit }, what);
const both = {
  cpu: used('Processor'),
  flash: used('Fullest file system'),
  ram: used('Memory'),
  ntp: state('Clock; the threshold is milliseconds of offset'),
  reader_gateway: state('Connections of the reader'),
  database: state('State folder of the reader'),
  radio_control: state('Radio service'),
  userapp: state('User applications; the threshold is seconds that one does not run'),
  userApp: state('The same as userapp'),
};

// A name that is not known is a mistake that would otherwise be seen when an alarm is missing.
const closed = { additionalProperties: false };

const Errors = Type.Object(
  {
    ...both,
    antenna: state('An antenna that was there is gone'),
    radio: state('Radio module'),
  },
  closed,
);

const Warnings = Type.Object(
  {
    ...both,
    temperature: entry({ ambient: Degrees, pa: Degrees }, 'Degrees Celsius'),
    radio_api: state('The radio refuses to read'),
    certificate: state('Certificates that expire soon, told once a day; beyond the interface'),
  },
  closed,
);

export const HEARTBEAT_FIELDS = {
  radio_control: [
    'ANTENNAS',
    'CPU',
    'NUM_DATA_MESSAGES_TXED',
    'NUM_ERRORS',
    'NUM_RADIO_PACKETS_RXED',
    'NUM_TAG_READS',
    'NUM_TAG_READS_PER_ANTENNA',
    'NUM_WARNINGS',
    'RADIO_ACTIVITY',
    'RADIO_CONNECTION',
    'RAM',
    'UPTIME',
  ],
  reader_gateway: [
    'CPU',
    'INTERFACE_CONNECTION_STATUS',
    'NOLOCKQ_DEPTH',
    'NUM_DATA_MESSAGES_DROPPED',
    'NUM_DATA_MESSAGES_RETAINED',
    // Beyond the interface.
    'NUM_DATA_MESSAGES_RETRIED',
    'NUM_DATA_MESSAGES_RXED',
    'NUM_DATA_MESSAGES_TXED',
    'NUM_ERRORS',
    'NUM_MANAGEMENT_EVENTS_TXED',
    'NUM_WARNINGS',
    'RAM',
    'UPTIME',
  ],
  system: [
    'CPU',
    'FLASH',
    'GPI',
    'GPO',
    'HOSTNAME',
    'MAC_ADDRESS',
    'MACADDRESS',
    'NTP',
    'POWER_NEGOTIATION',
    'POWER_SOURCE',
    'RAM',
    'SYSTEMTIME',
    'TEMPERATURE',
    'UPTIME',
  ],
  userapps: [
    'CPU',
    'INCOMING_DATA_BUFFER_PERCENTAGE_REMAINING',
    'NUM_DATA_MESSAGES_RXED',
    'NUM_DATA_MESSAGES_TXED',
    'OUTGOING_DATA_BUFFER_PERCENTAGE_REMAINING',
    'RAM',
    'STATUS',
    'UPTIME',
  ],
} as const;

const fields = <const T extends readonly string[]>(names: T) =>
  Type.Optional(orNull(Type.Array(TextEnum(names))));

const Fields = Type.Object(
  {
    radio_control: fields(HEARTBEAT_FIELDS.radio_control),
    reader_gateway: fields(HEARTBEAT_FIELDS.reader_gateway),
    system: fields(HEARTBEAT_FIELDS.system),
    userapps: fields(HEARTBEAT_FIELDS.userapps),
    userDefined: Type.Optional(
      orNull(
        Type.Object(
          {},
          { additionalProperties: true, description: 'Copied into each heartbeat as it is' },
        ),
      ),
    ),
  },
  { description: 'A part that is not named is not sent; without fields all are' },
);
export type HeartbeatFields = Static<typeof Fields>;

const Heartbeat = Type.Object({
  fields: Type.Optional(orNull(Fields)),
  interval: Type.Optional(
    orNull(
      Type.Integer({
        minimum: 0,
        maximum: MAX_WAIT_S,
        default: 60,
        description: 'Seconds; 0 = no heartbeat',
      }),
    ),
  ),
});
export type Heartbeat = Static<typeof Heartbeat>;

const on = (description: string) =>
  Type.Optional(orNull(Type.Boolean({ default: true, description })));

export const ManagementEventConfig = Type.Object(
  {
    errors: Type.Optional(orNull(Errors)),
    warnings: Type.Optional(orNull(Warnings)),
    heartbeat: Type.Optional(orNull(Heartbeat)),
    gpiEvents: on('Changes of inputs'),
    gpoEvents: on('Changes of outputs'),
    userappEvents: on('State changes of user applications, and what they tell'),
    radioEvents: on('Radio, antennas and reading come and go; beyond the interface'),
  },
  {
    description:
      'Management events; an entry that is left out stays as it is, and null gives it its default',
  },
);
export type ManagementEventConfig = Static<typeof ManagementEventConfig>;

export const MANAGEMENT_EVENT_TYPES = [
  'heartbeat',
  'error',
  'warning',
  'gpi',
  'gpo',
  'userapp',
  'firmwareUpdateProgress',
  'radio',
  'antenna',
  'OVERFLOW',
] as const;
export type ManagementEventType = (typeof MANAGEMENT_EVENT_TYPES)[number];

/** RG: this gateway; RC: the radio service. */
export const COMPONENTS = ['RG', 'RC'] as const;
export type Component = (typeof COMPONENTS)[number];

export const ManagementEvent = Type.Object(
  {
    component: TextEnum(COMPONENTS, { description: 'RG: reader gateway, RC: radio control' }),
    data: Type.Object({}, { description: 'As the type says, see docs/management-events.md' }),
    eventNum: Type.Integer({ minimum: 1, description: 'Per connection, without gaps' }),
    timestamp: Type.String({
      pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}\\.[0-9]{3}[+-][0-9]{4}$',
      description: 'ISO 8601 with milliseconds and an offset without a colon',
    }),
    type: TextEnum(MANAGEMENT_EVENT_TYPES),
  },
  { description: 'A management event' },
);
export type ManagementEvent = Static<typeof ManagementEvent>;
