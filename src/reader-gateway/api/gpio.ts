/** Levels of general purpose inputs and outputs (GET /cloud/gpi, GET and PUT /cloud/gpo). */
import { type Static, TextEnum, Type } from './schema.js';

const Levels = (description: string) =>
  Type.Record(Type.String({ pattern: '^[1-9][0-9]*$' }), TextEnum(['HIGH', 'LOW']), {
    description,
  });

export const GpiStatus = Levels('Levels of the inputs, by port');
export type GpiStatus = Static<typeof GpiStatus>;

export const GpoStatus = Levels('Levels of the outputs, by port');
export type GpoStatus = Static<typeof GpoStatus>;

export const SetGpo = Type.Object(
  {
    command: Type.Optional(TextEnum(['set_gpo'], { description: 'Not needed' })),
    port: Type.Integer({ minimum: 1, description: 'From 1 to numGPOs of the capabilities' }),
    state: Type.Boolean({ description: 'true = HIGH' }),
  },
  { description: 'Level of an output' },
);
export type SetGpo = Static<typeof SetGpo>;
