/** manifest.json of a bundle for the emulated device. */
import { type Static, Type } from '@sinclair/typebox';
import { jsonProblem } from '../../../shared/json-problem.js';
import { UPDATE_PARTS } from '../../update-engine.js';
import { oneOf, problemsOf } from '../checked.js';

const Payload = Type.Object({
  part: oneOf(UPDATE_PARTS),
  file: Type.String({
    pattern: '^[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}$',
    description: 'the name of a file in the bundle',
  }),
  size: Type.Integer({ minimum: 0 }),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$', description: '64 hexadecimal digits' }),
});
export type Payload = Static<typeof Payload>;

export const Manifest = Type.Object({
  format: Type.Integer({ minimum: 1, maximum: 1 }),
  compatible: Type.String({ minLength: 1 }),
  version: Type.String({
    pattern: '^[A-Za-z0-9][A-Za-z0-9_.+-]{0,63}$',
    description: 'a version (letters, digits and "_.+-")',
  }),
  payloads: Type.Array(Payload, { minItems: 1, maxItems: UPDATE_PARTS.length }),
  /** What the emulated device plays with this version. */
  emulated: Type.Optional(
    Type.Object({
      boots: Type.Optional(Type.Boolean({ default: true })),
      healthy: Type.Optional(Type.Boolean({ default: true })),
    }),
  ),
});
export type Manifest = Static<typeof Manifest>;

/** @throws naming what is wrong. */
export function parseManifest(text: string): Manifest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(`manifest.json of the bundle is not JSON: ${jsonProblem(error)}`);
  }
  const problems = problemsOf(Manifest, value);
  const manifest = value as Manifest;
  if (problems.length === 0) {
    for (const key of ['part', 'file'] as const) {
      const names = manifest.payloads.map((payload) => payload[key]);
      const twice = names.find((name, index) => names.indexOf(name) !== index);
      if (twice !== undefined) problems.push(`payloads: ${key} ${twice} is there twice`);
    }
  }
  if (problems.length > 0) throw new Error(`manifest.json of the bundle: ${problems.join('; ')}`);
  return manifest;
}
