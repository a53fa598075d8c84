/** The GPIO-LED part of the reader configuration. */
import { orNull, type Static, TextEnum, Type, when } from './schema.js';
import { MAX_WAIT_MS } from './waits.js';

/** Most actions of a trigger. */
const MAX_ACTIONS = 32;

export const CONDITIONS = [
  'IS_CLOUD_CONNECTED',
  '~IS_CLOUD_CONNECTED',
  'IS_RADIO_ONGOING',
  '~IS_RADIO_ONGOING',
] as const;
export type Condition = (typeof CONDITIONS)[number];
export type Conditions = Condition[] | { operator: 'and' | 'or'; operands: Condition[] };

const Level = TextEnum(['HIGH', 'LOW']);
const Color = TextEnum(['RED', 'AMBER', 'GREEN']);
const Milliseconds = Type.Integer({ minimum: 0, maximum: MAX_WAIT_MS });
/** By numbers from 1. */
const byNumber = <T extends string | number>(last: number, value: object) =>
  Type.Unsafe<Record<string, T>>({
    type: 'object',
    patternProperties: { [`^[1-${last}]$`]: value },
    description: `1 to ${last}`,
  });

const Names = { items: TextEnum(CONDITIONS), minItems: 1, maxItems: 16 };
const ConditionsSchema = Type.Unsafe<Conditions>({
  type: ['array', 'object'],
  items: Names.items,
  maxItems: Names.maxItems,
  properties: {
    operator: TextEnum(['and', 'or']),
    operands: { type: 'array', ...Names },
  },
  required: ['operator', 'operands'],
  description: 'All of a list must hold, when the turn of the action comes; else it is skipped',
});

const Blink = Type.Object(
  { ON: Milliseconds, OFF: Milliseconds, DURATION: Milliseconds },
  { description: 'Milliseconds; DURATION 0 = until something else sets the output' },
);
export type Blink = Static<typeof Blink>;

const ActionSchema = Type.Object(
  {
    type: TextEnum(['GPO', 'LED']),
    blink: Type.Optional(Blink),
    conditions: Type.Optional(ConditionsSchema),
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
type Level = Static<typeof Level>;
type Color = Static<typeof Color>;
interface AnyAction {
  blink?: Blink;
  conditions?: Conditions;
}
export interface GpoAction extends AnyAction {
  type: 'GPO';
  pin: number;
  state: Level;
  postActionState?: Level;
}
export interface LedAction extends AnyAction {
  type: 'LED';
  led: number;
  color: Color;
  postActionColor?: Color;
}
/** What the schema says with conditions of its own. */
export type Action = GpoAction | LedAction;

const Actions = Type.Optional(
  orNull(Type.Unsafe<Action[]>(Type.Array(ActionSchema, { maxItems: MAX_ACTIONS }))),
);

export const TRIGGERS = [
  'GPI_1_H',
  'GPI_1_L',
  'GPI_2_H',
  'GPI_2_L',
  'GPI_3_H',
  'GPI_3_L',
  'GPI_4_H',
  'GPI_4_L',
  'CLOUD_DISCONNECT',
  'CLOUD_CONNECT',
  'TAG_READ',
  'RADIO_START',
  'RADIO_STOP',
] as const;
export type Trigger = (typeof TRIGGERS)[number];

const triggers = Object.fromEntries(TRIGGERS.map((trigger) => [trigger, Actions])) as Record<
  Trigger,
  typeof Actions
>;

export const GpioLed = Type.Object(
  {
    GPODefaults: Type.Optional(orNull(byNumber<Level>(4, Level))),
    LEDDefaults: Type.Optional(orNull(byNumber<Color>(3, Color))),
    GPIDebounce: Type.Optional(orNull(byNumber<number>(4, Milliseconds))),
    ...triggers,
  },
  {
    description: 'What outputs and LEDs do at events; null takes a key back; see docs/gpio-led.md',
  },
);
export type GpioLed = Static<typeof GpioLed>;
