/** Checks what an emulated device has on the disk, and what is brought to it. */
import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';

/** A text out of a list. */
export function oneOf<const T extends readonly string[]>(values: T) {
  return Type.Unsafe<T[number]>(Type.Union(values.map((value) => Type.Literal(value))));
}

/** @returns What is wrong, each with its field. */
export function problemsOf(schema: TSchema, value: unknown): string[] {
  return [...Value.Errors(schema, value)].map(
    ({ path, message }) => `${path.slice(1).replaceAll('/', '.')}: ${message}`,
  );
}

/** @throws naming the first thing that is wrong. */
export function checked<T extends TSchema>(schema: T, value: unknown): Static<T> {
  const [problem] = problemsOf(schema, value);
  if (problem !== undefined) throw new Error(problem);
  return value as Static<T>;
}
