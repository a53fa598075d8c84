/** The application LED (GET and PUT /cloud/app-led, get_appled, set_appled). */
import { type Static, TextEnum, Type } from './schema.js';

/** A week. */
const MAX_SECONDS = 604_800;

export const SetAppLed = Type.Object(
  {
    color: TextEnum(['red', 'amber', 'green', 'off']),
    seconds: Type.Integer({
      minimum: 0,
      maximum: MAX_SECONDS,
      description: 'Then the LED shows its default again; 0 only with off',
    }),
    flash: Type.Optional(Type.Boolean({ description: 'Default false' })),
  },
  { description: 'What the application LED shows, and how long' },
);
export type SetAppLed = Static<typeof SetAppLed>;

export const AppLedAnswer = Type.String({ description: 'What the LED does now, for people' });
export type AppLedAnswer = Static<typeof AppLedAnswer>;

export const AppLedState = TextEnum(['DEFAULT', 'NON_DEFAULT'], {
  description: 'NON_DEFAULT: what an application set still holds',
});
export type AppLedState = Static<typeof AppLedState>;
