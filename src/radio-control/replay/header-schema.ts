/** The header of a recording: which column holds what, in which unit. */
import { type Static, Type } from '@sinclair/typebox';

const closed = { additionalProperties: false };

/** A column by its number from 1, or by its name in the heading line. */
const ColumnRef = Type.Optional(
  Type.Unsafe<number | string>({
    type: ['integer', 'string'],
    minimum: 1,
    minLength: 1,
    description: 'Number of the column, from 1, or its name in the heading line.',
  }),
);

function quantity<U extends string>(units: readonly U[]) {
  return Type.Object(
    {
      column: ColumnRef,
      unit: Type.Unsafe<U>({ type: 'string', enum: units }),
    },
    closed,
  );
}

const TIME_UNITS = ['s', 'ms', 'us', 'ns'] as const;
const RSSI_UNITS = ['dBm', 'cdBm'] as const;
const PHASE_UNITS = ['rad', 'deg'] as const;
const FREQUENCY_UNITS = ['MHz', 'kHz'] as const;

function quantityOrValue<U extends string>(units: readonly U[]) {
  return Type.Object(
    {
      column: ColumnRef,
      value: Type.Optional(
        Type.Number({ description: 'Instead of a column: the same for every read.' }),
      ),
      unit: Type.Unsafe<U>({ type: 'string', enum: units }),
    },
    closed,
  );
}

export const RecordingHeader = Type.Object(
  {
    file: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'The CSV file, seen from the folder of this file.',
      }),
    ),
    model: Type.Optional(Type.String({ maxLength: 200, description: 'Shown as the radio model.' })),
    headingLine: Type.Optional(
      Type.Boolean({ description: 'The first line names the columns and holds no read.' }),
    ),
    numberOfColumns: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
    columns: Type.Object(
      {
        time: quantity(TIME_UNITS),
        antenna: Type.Object(
          { column: ColumnRef, value: Type.Optional(Type.Integer({ minimum: 1, maximum: 255 })) },
          closed,
        ),
        epc: Type.Object(
          { column: ColumnRef, fromFileName: Type.Optional(Type.Literal(true)) },
          closed,
        ),
        rssi: quantityOrValue(RSSI_UNITS),
        phase: quantityOrValue(PHASE_UNITS),
        frequency: quantityOrValue(FREQUENCY_UNITS),
      },
      closed,
    ),
  },
  { ...closed, title: 'Header of a Singulate recording' },
);

export type RecordingHeader = Static<typeof RecordingHeader>;
export type Columns = RecordingHeader['columns'];
export type ColumnName = keyof Columns;
export const COLUMN_NAMES = ['time', 'antenna', 'epc', 'rssi', 'phase', 'frequency'] as const;
