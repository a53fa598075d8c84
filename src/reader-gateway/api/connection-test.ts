/** What a test of a connection found (POST /cloud/testConnection). Beyond the interface. */
import { type Static, TextEnum, Type } from './schema.js';

export const STEPS = ['dns', 'tcp', 'tls', 'auth'] as const;
export type StepName = (typeof STEPS)[number];

export const TestStep = Type.Object({
  step: TextEnum(STEPS),
  result: TextEnum(['ok', 'failed', 'not tried', 'not needed'], {
    description: '"not tried" comes after a step that failed',
  }),
  ms: Type.Number({ description: 'Time it took' }),
  detail: Type.String({ description: 'What was found, or why it failed; never a secret' }),
});
export type TestStep = Static<typeof TestStep>;

export const ConnectionTest = Type.Object(
  {
    ok: Type.Boolean({ description: 'No step has failed' }),
    steps: Type.Array(TestStep, { description: 'dns, tcp, tls and auth, in this order' }),
  },
  { description: 'What a test of a connection found' },
);
export type ConnectionTest = Static<typeof ConnectionTest>;
