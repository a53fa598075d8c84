/** The GPIO-LED part of the reader configuration. */
import { Anything, type Static, TextEnum, Type, when } from './schema.js';

const Level = TextEnum(['HIGH', 'LOW']);
const Color = TextEnum(['RED', 'AMBER', 'GREEN']);
const Milliseconds = Type.Integer({ minimum: 0 });
const byPort = (key: string, value: object) =>
  Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    patternProperties: { [key]: value },
  });

const Action = Type.Object(
  {
    type: TextEnum(['GPO', 'LED']),
    blink: Type.Optional(
      Type.Object({ ON: Milliseconds, OFF: Milliseconds, DURATION: Milliseconds }),
    ),
    conditions: Type.Optional(Anything({ type: ['array', 'object'], items: { type: 'string' } })),
  },
  {
    allOf: [
      when('type', 'GPO', {
        properties: {
          pin: Type.Integer({ minimum: 1, maximum: 4 }),
          state: Level,
          postActionState: Level,
        },
        required: ['pin', 'state'],
      }),
      when('type', 'LED', {
        properties: {
          led: Type.Integer({ minimum: 1, maximum: 3 }),
          color: Color,
          postActionColor: Color,
        },
        required: ['led', 'color'],
      }),
    ],
  },
);

const Actions = Type.Optional(Type.Array(Action));

export const GpioLed = Type.Object(
  {
    GPODefaults: Type.Optional(byPort('^[1-4]$', Level)),
    LEDDefaults: Type.Optional(byPort('^[1-3]$', Color)),
    GPIDebounce: Type.Optional(byPort('^[1-4]$', Milliseconds)),
    GPI_1_H: Actions,
    GPI_1_L: Actions,
    GPI_2_H: Actions,
    GPI_2_L: Actions,
    GPI_3_H: Actions,
    GPI_3_L: Actions,
    GPI_4_H: Actions,
    GPI_4_L: Actions,
    CLOUD_DISCONNECT: Actions,
    CLOUD_CONNECT: Actions,
    TAG_READ: Actions,
    RADIO_START: Actions,
    RADIO_STOP: Actions,
  },
  { description: 'GPIO and LED behaviour; stored, not acted on by this version' },
);
export type GpioLed = Static<typeof GpioLed>;
