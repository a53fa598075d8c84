/** The schema of region files (reference section 13). Frequencies in kHz, powers in dBm. */
import { type Static, Type } from '@sinclair/typebox';

const closed = { additionalProperties: false };
const Milliseconds = Type.Integer({ minimum: 0, maximum: 86_400_000 });
const Khz = Type.Integer({ minimum: 800_000, maximum: 1_000_000 });

export const Region = Type.Object(
  {
    name: Type.String({ minLength: 1, description: 'For people.' }),
    countries: Type.Array(Type.String({ pattern: '^[A-Z]{2}$' }), {
      minItems: 1,
      description: 'ISO 3166 codes. Of a region of many countries some of them.',
    }),
    bandsKhz: Type.Array(Type.Array(Khz, { minItems: 2, maxItems: 2 }), { minItems: 1 }),
    channels: Type.Array(
      Type.Object(
        {
          firstKhz: Khz,
          stepKhz: Type.Integer({ minimum: 1 }),
          count: Type.Integer({ minimum: 1 }),
        },
        closed,
      ),
      { minItems: 1, description: 'Runs of centre frequencies.' },
    ),
    channelWidthKhz: Type.Optional(Type.Integer({ minimum: 1 })),
    hopping: Type.Boolean({ description: 'The channels are used in an order by chance.' }),
    rule: Type.Object(
      {
        dwellMs: Type.Integer({ minimum: 100, maximum: 86_400_000 }),
        offMs: Type.Optional(Milliseconds),
        windowMs: Type.Optional(Milliseconds),
        occupancyMs: Type.Optional(Milliseconds),
        listenMs: Type.Optional(Milliseconds),
      },
      { ...closed, description: 'As ChannelRule of virtual-field.ts.' },
    ),
    lbtThresholdDbm: Type.Optional(Type.Number()),
    maxEirpDbm: Type.Optional(Type.Number({ description: 'Left out where it is not known.' })),
    powerGivenAs: Type.Optional(Type.String({ description: 'How the source gives the power.' })),
    source: Type.String({ minLength: 1 }),
    confidence: Type.String({
      minLength: 1,
      description: 'What is confirmed, recalled, inferred.',
    }),
  },
  closed,
);

export type Region = Static<typeof Region>;
