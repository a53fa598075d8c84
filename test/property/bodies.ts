/** Bodies of requests as JSON texts: right ones, ones with a single fault, and wild ones. */
import fc from 'fast-check';
import type { Operation } from '../../src/reader-gateway/operations/operation.js';
import { fitting } from './from-schema.js';
import { deepText, jsonText, ownProperties } from './json-text.js';
import { RIGHT_REQUESTS } from './right-requests.js';

/**
 * Any text. fc.string() of the same unit takes a second to make, for its way back from a text to
 * its parts.
 */
function anyText(maxLength: number): fc.Arbitrary<string> {
  const codePoint = fc.oneof(
    fc.integer({ min: 0, max: 0x7f }),
    fc.integer({ min: 0x80, max: 0xd7ff }),
    fc.integer({ min: 0xe000, max: 0x10ffff }),
  );
  return fc.array(codePoint, { maxLength }).map((all) => String.fromCodePoint(...all));
}

const NAMES = ['__proto__', 'constructor', 'toString', '', ' ', 'a.b', '0', 'type', 'options'];
const name = fc.oneof(
  fc.constantFrom(...NAMES),
  anyText(8),
  fc.string({ minLength: 200, maxLength: 300 }),
);

/** Half of a pair of surrogates, a NUL, a line break, a whole megabyte is left to other tests. */
const strangeText = fc.oneof(
  fc.constantFrom(
    '\ud800',
    'a\udfff',
    '\0',
    'a\0b',
    '\r\n',
    '../../etc',
    '/dev/null',
    '$(id)',
    ' ',
  ),
  anyText(20),
  fc.integer({ min: 1000, max: 20_000 }).map((length) => 'x'.repeat(length)),
);

const strangeNumber = fc.constantFrom(
  -0,
  -1,
  0.1,
  Number.MAX_SAFE_INTEGER + 2,
  Number.MAX_VALUE,
  Number.MIN_VALUE,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  2 ** 31,
  2 ** 32,
  2 ** 53,
);

const deep = fc.tuple(fc.integer({ min: 10, max: 5000 }), fc.boolean()).map(deepText);

const { wild: wildValue } = fc.letrec((tie) => ({
  wild: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    { weight: 4, arbitrary: strangeText },
    { weight: 4, arbitrary: strangeNumber },
    { weight: 2, arbitrary: fc.constantFrom(null, true, false, {}, []) },
    { weight: 3, arbitrary: fc.array(tie('wild'), { maxLength: 4 }) },
    {
      weight: 3,
      arbitrary: fc.array(fc.tuple(name, tie('wild')), { maxLength: 4 }).map(ownProperties),
    },
  ),
}));
/** Any JSON value. */
export const wild: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 60, arbitrary: wildValue },
  { weight: 1, arbitrary: deep },
);

/** One thing of a right request is made wrong, wherever it is. */
function nearly(right: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc
    .tuple(right, fc.nat(), fc.constantFrom('remove', 'replace', 'add', 'rename'), name, wild)
    .map(([value, index, what, other, stray]) => {
      const places: Place[] = [];
      collectPlaces(value, undefined, places);
      const at = places[index % Math.max(1, places.length)];
      if (at === undefined) return ownProperties([[other, stray]]);
      const { parent, key, above } = at;
      const copy = shallowCopy(parent);
      if (what === 'replace') set(copy, key, stray);
      if (what === 'add') set(copy, Array.isArray(copy) ? `${copy.length}` : other, stray);
      if (what === 'remove' || what === 'rename') {
        if (Array.isArray(copy)) copy.splice(Number(key), 1);
        else delete copy[key];
      }
      if (what === 'rename' && !Array.isArray(copy)) set(copy, other, parent[key]);
      return withPart(above, copy);
    });
}

interface Place {
  parent: Record<string, unknown>;
  key: string;
  /** Where the parent is; undefined: it is the whole. */
  above: Place | undefined;
}

function collectPlaces(value: unknown, above: Place | undefined, found: Place[]): void {
  if (typeof value !== 'object' || value === null) return;
  const parent = value as Record<string, unknown>;
  for (const key of Object.keys(parent)) {
    const place = { parent, key, above };
    found.push(place);
    collectPlaces(parent[key], place, found);
  }
}

/** The whole with another part at a place: only what lies above it is copied. */
function withPart(place: Place | undefined, part: unknown): unknown {
  if (place === undefined) return part;
  const copy = shallowCopy(place.parent);
  set(copy, place.key, part);
  return withPart(place.above, copy);
}

function shallowCopy(value: Record<string, unknown>): Record<string, unknown> {
  return Array.isArray(value) ? ([...value] as never) : { ...value };
}

/** Also of the name __proto__. */
function set(parent: object, key: string, value: unknown): void {
  const how = { value, enumerable: true, configurable: true, writable: true };
  Object.defineProperty(parent, key, how);
}

/** JSON texts of bodies for an operation. */
export function bodiesFor({ name: operation, requestSchema }: Operation): fc.Arbitrary<string> {
  const ofSchema = fitting(requestSchema);
  const known = RIGHT_REQUESTS[operation];
  const right = known === undefined ? ofSchema : fc.oneof(ofSchema, fc.constantFrom(...known));
  return fc
    .oneof(
      { weight: 1, arbitrary: right },
      { weight: 6, arbitrary: nearly(right) },
      { weight: 3, arbitrary: wild },
    )
    .map(jsonText);
}

/** What is no JSON, or hardly. */
export const bytes: fc.Arbitrary<Buffer> = fc.oneof(
  fc.uint8Array({ maxLength: 60 }).map((array) => Buffer.from(array)),
  fc.tuple(wild, fc.nat()).map(([value, end]) => {
    const text = jsonText(value);
    return Buffer.from(text.slice(0, end % (text.length + 1)));
  }),
  fc
    .constantFrom(
      ...[
        '\ufeff{}',
        '{"a":1}{"b":2}',
        "{'a':1}",
        '{"a":1,}',
        'NaN',
        '[',
        '{"a":1e999}',
        '"x"',
        '7',
      ],
    )
    .map((text) => Buffer.from(text)),
  fc.constant(Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])),
);
