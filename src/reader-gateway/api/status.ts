/** Statistics (GET /cloud/status, get_status). */
import { LastOsUpdate } from './os-update.js';
import { type Static, TextEnum, Type } from './schema.js';

const Digits = Type.String({ pattern: '^[0-9]+$', description: 'digits' });
const Space = Type.Object(
  { total: Digits, free: Digits, used: Digits },
  { description: 'Bytes, as texts of digits' },
);
const CONNECTION = ['connected', 'disconnected'] as const;
const ACTIVITY = ['active', 'inactive'] as const;

const InterfaceStatus = Type.Object({
  connectionError: Type.String(),
  connectionStatus: TextEnum(CONNECTION),
  description: Type.String({ description: "The connection's description, or its name" }),
  interface: Type.String({ description: 'Type of the connection: mqtt, httpPost and so on' }),
  numDataMessagesTxed: Type.Integer({
    description: 'Events (of command connections: responses) sent',
  }),
  numDataMessagesRetained: Type.Integer({ description: 'They wait or are on the way' }),
  numDataMessagesDropped: Type.Integer(),
  numDataMessagesRetried: Type.Integer({ description: 'Sent once more: may have arrived twice' }),
});
export type InterfaceStatus = Static<typeof InterfaceStatus>;

export const Status = Type.Object(
  {
    uptime: Type.String({ description: 'Of the machine: "3 days 04:05:06"' }),
    systemTime: Type.String({ description: 'ISO 8601 with offset' }),
    ram: Space,
    flash: Type.Object({
      rootFileSystem: Space,
      platform: Space,
      readerConfig: Space,
      readerData: Space,
    }),
    cpu: Type.Object({ user: Digits, system: Digits }, { description: 'Percent' }),
    radioConnection: TextEnum(CONNECTION),
    antennas: Type.Record(Type.String(), TextEnum(CONNECTION)),
    temperature: Type.Integer({ description: 'Degrees Celsius; 0 without a sensor' }),
    radioActivitiy: TextEnum(ACTIVITY, { description: 'Spelled as in the interface' }),
    radioActivity: TextEnum(ACTIVITY),
    powerSource: TextEnum(['DC', 'POE', 'POE+']),
    powerNegotiation: TextEnum(['DISABLED', 'FAILURE', 'IN_PROGRESS', 'NOT_APPLICABLE', 'SUCCESS']),
    ntp: Type.Object({
      offset: Type.Number({
        description: "Milliseconds that the server's clock is ahead; 0 with reach 0: not known",
      }),
      reach: Type.Integer({
        description: 'Octal digits of the last eight polls: 377 = all good, 0 = none, or no server',
      }),
    }),
    interfaceConnectionStatus: Type.Object({
      data: Type.Array(InterfaceStatus),
      control: Type.Array(InterfaceStatus),
      management: Type.Array(InterfaceStatus),
    }),
    tagReads: Type.Object(
      {
        reads: Type.Integer(),
        reported: Type.Integer(),
        filtered: Type.Integer(),
        dropped: Type.Integer(),
        idFiltered: Type.Integer({ description: 'Held back by tagIdFilter' }),
        tooWeak: Type.Integer({ description: 'Replies below rssiFilter: not inventoried' }),
        heldBack: Type.Integer({
          description: 'Tags silent in a round because of their session or SL flag (simulations)',
        }),
        accessFailed: Type.Integer({
          description: 'Reads with an access command, or a bank to report, that did not succeed',
        }),
        uniqueTags: Type.Integer(),
        missed: Type.Integer({ description: 'Reports lost between the radio and this service' }),
      },
      { description: 'Counters of the running or of the last inventory' },
    ),
    linkProfile: Type.Optional(
      Type.String({
        description:
          'Of the running or of the last inventory: with AUTO_DETECT the one chosen last',
      }),
    ),
    lastOsUpdate: Type.Optional(LastOsUpdate),
  },
  { description: 'Statistics' },
);
export type Status = Static<typeof Status>;
