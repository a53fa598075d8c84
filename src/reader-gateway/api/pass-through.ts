/** Diagnostic questions to a component (PUT /cloud/pass-through). */
import { type Static, TextEnum, Type } from './schema.js';

export const RADIO_QUESTIONS = ['version', 'status', 'mode', 'capabilities', 'regions'] as const;

export const PassThrough = Type.Object(
  {
    component: TextEnum(['RC'], { description: 'RC: radio-control' }),
    payload: TextEnum(RADIO_QUESTIONS, { description: 'What is asked; it changes nothing' }),
  },
  { description: 'A diagnostic question' },
);
export type PassThrough = Static<typeof PassThrough>;

export const PassThroughAnswer = Type.Object(
  { response: Type.String({ description: 'JSON' }) },
  { description: 'The answer of the component' },
);
export type PassThroughAnswer = Static<typeof PassThroughAnswer>;
