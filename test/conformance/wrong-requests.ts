/** Wrong requests, made of the schema and a right one. A kind that cannot be wrong gives none. */
import type { TSchema } from '../../src/reader-gateway/api/schema.js';
import { joinPath } from '../../src/reader-gateway/api/validate.js';
import type { Operation } from '../../src/reader-gateway/operations/operation.js';
import { pathFields } from './doors.js';
import type { Request } from './operation-case.js';

export interface WrongRequest {
  /** The message of the refusal has it. */
  field: string;
  request: Request;
}

const UNKNOWN = 'notOfTheInterface';

/** In the request, and in each object in it in turn. */
export function withUnknownField(right: Request): WrongRequest[] {
  return insides(right).map(([field, request]) => ({ field, request: request as Request }));
}

/** Copies of a part, each with the unknown field in one of its objects, which the path leads to. */
function insides(part: unknown, path = ''): [path: string, copy: unknown][] {
  if (typeof part !== 'object' || part === null) return [];
  const copyWith = (name: string, value: unknown) =>
    Object.assign(Array.isArray(part) ? [...part] : { ...part }, { [name]: value });
  const deeper = Object.entries(part).flatMap(([name, inner]) =>
    insides(inner, joinPath(path, name)).map(([field, copy]): [string, unknown] => [
      field,
      copyWith(name, copy),
    ]),
  );
  return Array.isArray(part)
    ? deeper
    : [[joinPath(path, UNKNOWN), copyWith(UNKNOWN, 1)], ...deeper];
}

/** Every field in turn. @param fields Those that the door has in the body. */
export function withWrongTypes(
  operation: Operation,
  right: Request,
  fields: readonly string[],
): WrongRequest[] {
  return fields.flatMap((field) => {
    const wrong = wrongFor(propertiesOf(operation)[field] as TSchema);
    return wrong === undefined ? [] : [{ field, request: { ...right, [field]: wrong } }];
  });
}

export function withMissingFields(
  { requestSchema }: Operation,
  right: Request,
  fields: readonly string[],
): WrongRequest[] {
  const required: readonly string[] = requestSchema.required ?? [];
  return required
    .filter((field) => fields.includes(field))
    .map((field) => {
      const { [field]: _left, ...request } = right;
      return { field, request };
    });
}

/** Every field that has a limit of its own, just beyond it. */
export function beyondLimits(
  operation: Operation,
  right: Request,
  fields: readonly string[],
): WrongRequest[] {
  return fields.flatMap((field) => {
    const { maximum, maxLength, maxItems } = propertiesOf(operation)[field] as TSchema;
    const beyond =
      maximum !== undefined
        ? maximum + 1
        : maxLength !== undefined
          ? 'x'.repeat(maxLength + 1)
          : maxItems !== undefined
            ? Array.from({ length: maxItems + 1 }, () => 1)
            : undefined;
    return beyond === undefined ? [] : [{ field, request: { ...right, [field]: beyond } }];
  });
}

/** Fields of the request that a door has in the body: over MQTT all. */
export function bodyFields(operation: Operation, door: 'REST' | 'MQTT'): string[] {
  const inPath = door === 'REST' ? pathFields(operation) : [];
  return Object.keys(propertiesOf(operation)).filter((field) => !inPath.includes(field));
}

function propertiesOf({ requestSchema }: Operation): Record<string, TSchema> {
  return requestSchema.properties ?? {};
}

/** @returns undefined if anything fits. */
function wrongFor({ type, enum: values }: TSchema): unknown {
  if (type === undefined) return values === undefined ? undefined : {};
  const types: readonly string[] = [type].flat();
  const candidates: [string, unknown][] = [
    ['boolean', true],
    ['string', 'text'],
    ['array', []],
  ];
  return candidates.find(([name]) => !types.includes(name))?.[1];
}
