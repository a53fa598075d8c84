/**
 * When a part of the configuration takes effect, and what it costs. It stands with each part in
 * its schema, from there in the OpenAPI document and in docs/configuration.md.
 */

export const EFFECT_KEY = 'x-takes-effect';

export const EFFECTS = {
  'at-once': 'Holds from the answer on; nothing is interrupted.',
  'next-round':
    'A reader that reads goes on with it at the end of the running round, without a pause.',
  reconnects:
    'The connections that it changes are closed, after the answer, and opened again; what waits for ' +
    'them, their event numbers and their counters go on. All others are not touched.',
  stopped: 'Only while the reader does not read; a change while it reads is refused.',
  stored: 'Is kept and given back, byte for byte; nothing acts on it.',
} as const;
export type Effect = keyof typeof EFFECTS;

export function takesEffect(effect: Effect): Record<typeof EFFECT_KEY, Effect> {
  return { [EFFECT_KEY]: effect };
}
