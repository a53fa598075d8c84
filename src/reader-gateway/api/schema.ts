/**
 * Building blocks of the resource schemas. They are plain JSON Schema without
 * unions of alternatives, so ajv reports one error per wrong value and not one per alternative.
 */
import { type Static, type TObject, type TSchema, type TUnsafe, Type } from '@sinclair/typebox';

/** A text out of a list. */
export function TextEnum<const T extends readonly string[]>(
  values: T,
  options: object = {},
): TUnsafe<T[number]> {
  return Type.Unsafe<T[number]>({ type: 'string', enum: [...values], ...options });
}

/** Anything; for fields whose meaning is checked elsewhere. */
export function Anything(options: object = {}): TUnsafe<unknown> {
  return Type.Unsafe<unknown>({ ...options });
}

/** One number for all antennas, or an array with one number per antenna. */
export function NumberOrArray(options: object = {}): TUnsafe<number | number[]> {
  return Type.Unsafe<number | number[]>({
    type: ['number', 'array'],
    items: { type: 'number' },
    ...options,
  });
}

/** One object for all antennas, or an array with one object per antenna. */
export function OneOrPerAntenna<T extends TObject>(
  item: T,
  options: object = {},
): TUnsafe<Static<T> | Static<T>[]> {
  const { type: _type, ...keywords } = item;
  return Type.Unsafe<Static<T> | Static<T>[]>({
    ...keywords,
    type: ['object', 'array'],
    items: item,
    ...options,
  });
}

/** A list for all antennas, or a list of lists with one per antenna. */
export function ListOrPerAntenna<T extends TObject>(
  item: T,
  options: object = {},
): TUnsafe<Static<T>[] | Static<T>[][]> {
  const { type: _type, ...keywords } = item;
  return Type.Unsafe<Static<T>[] | Static<T>[][]>({
    type: 'array',
    items: { ...keywords, type: ['object', 'array'], items: item },
    ...options,
  });
}

/** A part of a configuration that null takes back. What is stored, or answered, never has null. */
export function orNull<T extends TSchema>(schema: T): T {
  return { ...schema, type: [...[schema.type].flat(), 'null'] };
}

/** `then` holds for objects whose `key` has `value`. For the `allOf` of an object schema. */
export function when(key: string, value: string, then: object): object {
  return { if: { properties: { [key]: { const: value } }, required: [key] }, then };
}

export type { Static, TSchema };
export { Type };
