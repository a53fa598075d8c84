/** What distinguishes reader models: the data files in models/. */
import { type Static, Type } from '@sinclair/typebox';

const closed = { additionalProperties: false };

export const ReaderModel = Type.Object(
  {
    description: Type.String({ minLength: 1, description: 'For people.' }),
    antennaType: Type.Unsafe<'INTERNAL' | 'EXTERNAL'>({ enum: ['INTERNAL', 'EXTERNAL'] }),
    ports: Type.Integer({ minimum: 1, maximum: 255, description: 'Antenna ports of the radio.' }),
    beams: Type.Optional(
      Type.Array(
        Type.Object(
          {
            number: Type.Integer({ minimum: 1, maximum: 511 }),
            azimuth: Type.Integer({ minimum: 0, maximum: 359, description: 'Degrees, clockwise.' }),
            elevation: Type.Integer({
              minimum: 0,
              maximum: 90,
              description: 'Degrees from the vertical: 0 is straight down.',
            }),
          },
          closed,
        ),
        {
          minItems: 1,
          description:
            'Of an array-type reader, and its default antennas. Numbers are those of the radio.',
        },
      ),
    ),
    polarizations: Type.Optional(
      Type.Array(Type.String(), {
        minItems: 1,
        description: 'Of beams; the first is the default.',
      }),
    ),
    minTransmitPowerDbm: Type.Number(),
    maxTransmitPowerDbm: Type.Number(),
    defaultTransmitPowerDbm: Type.Number(),
    powerIs: Type.Unsafe<'CONDUCTED' | 'EIRP'>({
      enum: ['CONDUCTED', 'EIRP'],
      description: 'What transmitPower means: at the port, or radiated.',
    }),
    antennaGainDbi: Type.Number({ description: 'Reckoned with for the limit of the region.' }),
    delayBetweenAntennaCycles: Type.Object(
      {
        type: Type.Unsafe<'DISABLED' | 'NO_TAGS' | 'NO_UNIQUE_TAGS'>({
          enum: ['DISABLED', 'NO_TAGS', 'NO_UNIQUE_TAGS'],
        }),
        duration: Type.Integer({ minimum: 0, description: 'Milliseconds.' }),
      },
      closed,
    ),
    rssiFilter: Type.Boolean(),
    directionality: Type.Boolean(),
    gpis: Type.Integer({ minimum: 0, maximum: 16 }),
    gpos: Type.Integer({ minimum: 0, maximum: 16 }),
    maxPreFilters: Type.Integer({ minimum: 0, maximum: 32, description: 'Selects of an antenna.' }),
    maxAccessOperations: Type.Integer({ minimum: 0, maximum: 32, description: 'Of an antenna.' }),
  },
  closed,
);

export type ReaderModel = Static<typeof ReaderModel>;
