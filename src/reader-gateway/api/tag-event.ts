/** Tag data events, as endpoints receive them. */
import { EventTime } from './event-time.js';
import { MODE_TYPES } from './mode.js';
import { type Static, TextEnum, Type } from './schema.js';

const Word = Type.String({ pattern: '^[0-9a-f]{4}$', description: '4 hex digits' });

const Words = Type.String({ pattern: '^([0-9a-f]{4})*$', description: 'Words in hex' });

export const TagEvent = Type.Object(
  {
    data: Type.Object({
      eventNum: Type.Integer({ minimum: 1, description: 'Per connection, without gaps' }),
      format: TextEnum(['epc', 'uii']),
      idHex: Type.String({ pattern: '^([0-9a-f]{2})*$', description: 'lower-case hex' }),
      antenna: Type.Optional(Type.Integer()),
      peakRssi: Type.Optional(Type.Integer({ description: 'dBm' })),
      reads: Type.Optional(Type.Integer()),
      phase: Type.Optional(Type.Number({ description: 'Degrees' })),
      channel: Type.Optional(Type.Number({ description: 'MHz' })),
      PC: Type.Optional(Word),
      XPC: Type.Optional(Word),
      CRC: Type.Optional(Word),
      EPC: Type.Optional(Words),
      TID: Type.Optional(Words),
      USER: Type.Optional(Words),
      RESERVED: Type.Optional(Words),
      bankStatus: Type.Optional(
        Type.Record(Type.String(), Type.String(), {
          description: 'Banks that could not be read, and why: {"TID": "no reply"}',
        }),
      ),
      accessResults: Type.Optional(
        Type.Array(Type.String(), {
          description: 'One for each access command: hex words of a READ, SUCCESS, FAILED: why',
        }),
      ),
      TAGURI: Type.Optional(Type.String({ description: 'EPC Tag URI, or raw' })),
      EPCURI: Type.Optional(Type.String({ description: 'Pure identity EPC URI, or raw' })),
      MAC: Type.Optional(Type.String()),
      hostName: Type.Optional(Type.String()),
      userDefined: Type.Optional(Type.Unknown()),
      antennaName: Type.Optional(Type.String()),
    }),
    timestamp: EventTime(),
    type: TextEnum(MODE_TYPES),
  },
  { description: 'A tag data event' },
);
export type TagEvent = Static<typeof TagEvent>;
