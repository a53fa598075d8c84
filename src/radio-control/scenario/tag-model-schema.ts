/** The schema of tag-models.json (reference section 12). Powers in dBm, memory in words. */
import { type Static, Type } from '@sinclair/typebox';

export const TagModel = Type.Object(
  {
    name: Type.String({ pattern: '^[a-z0-9-]+$' }),
    maker: Type.Unsafe<'Impinj' | 'NXP' | 'Alien'>({
      type: 'string',
      enum: ['Impinj', 'NXP', 'Alien'],
    }),
    tidPrefix: Type.String({
      pattern: '^E2[0-9A-F]{6}$',
      description: 'The first 32 bits of the TID, hexadecimal.',
    }),
    xtid: Type.Boolean({
      description: 'An XTID header follows the prefix: 2000h, "48 bits of serial number".',
    }),
    epcWords: Type.Integer({ minimum: 6, maximum: 31 }),
    userWords: Type.Integer({ minimum: 0, maximum: 65_535 }),
    readSensitivityDbm: Type.Number({ minimum: -40, maximum: 0 }),
    writeSensitivityDbm: Type.Number({ minimum: -40, maximum: 0 }),
    writeUsPerWord: Type.Integer({ minimum: 100, maximum: 20_000 }),
    blockWrite: Type.Boolean(),
    blockPermalock: Type.Boolean(),
    untraceable: Type.Boolean(),
    source: Type.String({ minLength: 1 }),
    confidence: Type.String({ minLength: 1, description: 'What is confirmed, what recalled.' }),
  },
  { additionalProperties: false },
);

export type TagModel = Static<typeof TagModel>;
