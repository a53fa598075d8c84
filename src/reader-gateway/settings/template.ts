/**
 * A file of settings that says all there is to set: JSON with comments, made from the schemas that
 * check it. What a factory-new reader has stands in it; every other key is a comment, with its
 * default or a value of the right kind. Pure.
 */
import { EFFECT_KEY, EFFECTS, type Effect } from '../api/effects.js';
import { ReaderSettings } from '../api/reader-settings.js';
import type { TSchema } from '../api/schema.js';
import { FACTORY_MODE } from '../state/setting-kinds.js';
import { SETTINGS_VERSION } from './stores.js';

const WIDTH = 100;

/** What a reader has that was never told anything, as far as a file of settings says it. */
const FACTORY_SETTINGS: ReaderSettings = {
  formatVersion: SETTINGS_VERSION,
  config: { xml: '', 'GPIO-LED': {}, 'READER-GATEWAY': {} },
  mode: FACTORY_MODE,
  cableLoss: {},
  logs: {},
};

export function settingsTemplate(): string {
  const lines = [
    ...comment(
      'Settings of a reader. Check: singulate config check FILE; import: singulate config import FILE,',
    ),
    ...comment(
      'or PUT /cloud/config/import without the comments. Every key that is a comment is one more that may be set.',
    ),
    ...comment('When a part takes effect:'),
    ...Object.entries(EFFECTS).flatMap(([effect, text]) => comment(`  ${effect}: ${text}`)),
    ...objectLines(ReaderSettings, FACTORY_SETTINGS as Record<string, unknown>),
  ];
  return `${lines.join('\n')}\n`;
}

type Fields = Record<string, TSchema>;

/** `{` ... `}` with all properties; those that `value` has are no comments. */
function objectLines(schema: TSchema, value: Readonly<Record<string, unknown>>): string[] {
  const lines: string[] = [];
  const properties: Fields = schema.properties ?? {};
  const shown = new Map<string, string>();
  for (const [key, inner] of Object.entries(properties)) {
    const same = JSON.stringify(inner);
    const before = shown.get(same);
    if (before !== undefined && hasFields(inner) && value[key] === undefined) {
      lines.push(`// ${json(key)}: ${json(sample(inner))}, // as ${json(before)}`);
      continue;
    }
    shown.set(same, key);
    lines.push(...describe(inner), ...property(key, inner, value[key]));
  }
  for (const inner of [
    schema.additionalProperties,
    ...Object.values(schema.patternProperties ?? {}),
  ]) {
    if (typeof inner !== 'object' || inner === null) continue;
    lines.push(...describe(inner), ...property('1', inner, undefined));
  }
  for (const { names, properties: more } of alternatives(schema)) {
    lines.push(...comment(`With ${names}:`));
    for (const [key, inner] of Object.entries(more)) {
      lines.push(...describe(inner), ...property(key, inner, undefined));
    }
  }
  return ['{', ...indented(lines), '}'];
}

/** The properties that an object has with certain values of its `type`. */
function alternatives(schema: TSchema): { names: string; properties: Fields }[] {
  const found = new Map<string, { types: string[]; properties: Fields }>();
  for (const branch of (schema.allOf ?? []) as TSchema[]) {
    const [[key, condition] = ['', {}]] = Object.entries(branch.if?.properties ?? {}) as [
      string,
      { const?: unknown },
    ][];
    const properties: Fields = branch.then?.properties ?? {};
    const same = JSON.stringify(properties);
    const entry = found.get(same) ?? { types: [], properties };
    entry.types.push(`${key} ${JSON.stringify(condition.const)}`);
    found.set(same, entry);
  }
  return [...found.values()].map(({ types, properties }) => {
    return { names: types.join(' or '), properties };
  });
}

/**
 * @param value undefined: it is a comment.
 * @param shown What the comment says.
 */
function property(
  key: string,
  schema: TSchema,
  value: unknown,
  shown: unknown = sample(schema),
): string[] {
  const given = value ?? shown;
  const lines = valueLines(schema, given);
  lines[0] = `${JSON.stringify(key)}: ${lines[0]}`;
  lines[lines.length - 1] += ',';
  if (value !== undefined) return lines;
  const other = typeof given !== 'object' && hasFields(schema) ? required(schema) : undefined;
  return [
    ...lines.map((line) => `// ${line}`),
    ...(other === undefined ? [] : [...comment('Or:'), ...property(key, schema, undefined, other)]),
  ];
}

function valueLines(schema: TSchema, value: unknown): string[] {
  if (Array.isArray(value)) {
    const items: TSchema | undefined = schema.items;
    if (items === undefined || !isObject(items)) return [JSON.stringify(value)];
    const item = objectLines(items, (value[0] ?? {}) as Record<string, unknown>);
    return ['[', ...indented(item), ']'];
  }
  if (typeof value === 'object' && value !== null && isObject(schema)) {
    return objectLines(schema, value as Record<string, unknown>);
  }
  return [JSON.stringify(value)];
}

/** A value of the right kind: the default if there is one. */
function sample(schema: TSchema): unknown {
  if (schema.default !== undefined) return schema.default;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const [type] = [schema.type].flat();
  switch (type) {
    case 'object':
      return required(schema);
    case 'array':
      return schema.items !== undefined && isObject(schema.items) ? [required(schema.items)] : [];
    case 'boolean':
      return false;
    case 'integer':
    case 'number':
      return schema.minimum ?? schema.exclusiveMinimum ?? 0;
    case 'string':
      return '';
    default:
      return null;
  }
}

function required(schema: TSchema): Record<string, unknown> {
  const properties: Fields = schema.properties ?? {};
  const names: readonly string[] = schema.required ?? [];
  return Object.fromEntries(
    names.map((name) => [name, sample(properties[name] ?? ({} as TSchema))]),
  );
}

/** It takes more than a line to show. */
function hasFields(schema: TSchema): boolean {
  const fields = schema.properties ?? schema.items?.properties ?? {};
  return Object.keys(fields).length > 0;
}

function isObject(schema: TSchema): boolean {
  return [schema.type].flat().includes('object');
}

function describe(schema: TSchema): string[] {
  const effect: Effect | undefined = schema[EFFECT_KEY];
  const facts = [
    schema.enum === undefined ? kind(schema) : `one of ${schema.enum.map(json).join(', ')}`,
    schema.minimum === undefined ? '' : `at least ${schema.minimum}`,
    schema.exclusiveMinimum === undefined ? '' : `above ${schema.exclusiveMinimum}`,
    schema.maximum === undefined ? '' : `at most ${schema.maximum}`,
    schema.maxLength === undefined ? '' : `at most ${schema.maxLength} characters`,
    schema.maxItems === undefined ? '' : `at most ${schema.maxItems} entries`,
    schema.default === undefined ? '' : `default ${json(schema.default)}`,
    effect === undefined ? '' : `takes effect: ${effect}`,
  ].filter((fact) => fact !== '');
  const text = schema.description === undefined ? '' : `${schema.description}. `;
  return comment(`${text}(${facts.join('; ')})`);
}

function kind(schema: TSchema): string {
  return schema.type === undefined ? 'any' : [schema.type].flat().join(' or ');
}

function json(value: unknown): string {
  return JSON.stringify(value);
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}

function comment(text: string): string[] {
  const lines: string[] = [];
  let line = '//';
  for (const word of text.split(' ')) {
    if (line.length + 1 + word.length > WIDTH && line !== '//') {
      lines.push(line);
      line = '//  ';
    }
    line += ` ${word}`;
  }
  return [...lines, line];
}
