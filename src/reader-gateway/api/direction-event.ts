/** Events of the operating mode DIRECTIONALITY; docs/directionality.md explains them. */
import { DIRECTIONS } from './directionality.js';
import { EventTime } from './event-time.js';
import { type Static, TextEnum, Type } from './schema.js';

const eventNum = Type.Integer({ minimum: 1, description: 'Per connection, without gaps' });
const idHex = Type.String({ pattern: '^([0-9a-f]{2})*$', description: 'lower-case hex' });
const userDefined = Type.Optional(Type.Unknown({ description: 'user_defined of the mode' }));
const Feet = Type.Number({ description: 'Feet' });

export const DirectionEvent = Type.Object(
  {
    data: Type.Object({
      eventNum,
      idHex,
      event: TextEnum(['NEW', 'TRANSITION', 'UPDATE', 'TIMED_OUT']),
      zone: Type.Optional(Type.String()),
      previousZone: Type.Optional(Type.String({ description: 'Of a TRANSITION' })),
      direction: Type.Optional(TextEnum(DIRECTIONS, { description: 'Of all but NEW' })),
      x: Type.Optional(Feet),
      y: Type.Optional(Feet),
      reads: Type.Integer({ minimum: 1 }),
      firstSeen: EventTime(),
      lastSeen: EventTime(),
      zoneHistory: Type.Optional(
        Type.Array(Type.Object({ zone: Type.String(), timestamp: EventTime() })),
      ),
      locationHistory: Type.Optional(
        Type.Array(Type.Object({ x: Feet, y: Feet, timestamp: EventTime() })),
      ),
      userDefined,
    }),
    timestamp: EventTime(),
    type: Type.Literal('DIRECTIONALITY'),
  },
  { description: 'Where a tag is and goes' },
);
export type DirectionEvent = Static<typeof DirectionEvent>;

export const RawDirectionEvent = Type.Object(
  {
    data: Type.Object({
      eventNum,
      idHex,
      azimuth: Type.Number({ description: 'Degrees clockwise from the mark of the reader' }),
      elevation: Type.Number({ description: 'Degrees from the vertical' }),
      antenna: Type.Integer({ description: 'Number of the beam' }),
      peakRssi: Type.Integer({ description: 'dBm' }),
      userDefined,
    }),
    timestamp: EventTime(),
    type: Type.Literal('RAW_DIRECTIONALITY'),
  },
  { description: 'A read of a beam, with report_raw' },
);
export type RawDirectionEvent = Static<typeof RawDirectionEvent>;
