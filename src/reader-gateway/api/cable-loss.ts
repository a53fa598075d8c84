/** Cable loss compensation (GET and PUT /cloud/cableLossCompensation). */
import { type Static, Type } from './schema.js';

/** Longer than any antenna cable, and more loss than any has. */
const MAX_FEET = 1000;
const MAX_DB_PER_100_FT = 100;

export const CableLoss = Type.Object(
  {
    cableLength: Type.Number({ minimum: 0, maximum: MAX_FEET, description: 'Feet' }),
    cableLossPerHundredFt: Type.Number({
      minimum: 0,
      maximum: MAX_DB_PER_100_FT,
      description: 'Decibels for each hundred feet',
    }),
  },
  { description: 'Cable between the reader and an antenna' },
);
export type CableLoss = Static<typeof CableLoss>;

export const CableLosses = Type.Record(Type.String(), CableLoss, {
  description: 'The cable of each antenna port, by its number',
});
export type CableLosses = Static<typeof CableLosses>;

export const SetCableLosses = Type.Object(
  {
    cableLength: Type.Optional(CableLoss.properties.cableLength),
    cableLossPerHundredFt: Type.Optional(CableLoss.properties.cableLossPerHundredFt),
  },
  {
    additionalProperties: CableLoss,
    description:
      'cableLength and cableLossPerHundredFt for all ports; or an object of the two for each port ' +
      'that changes, by its number. With both, those of a port win.',
  },
);
