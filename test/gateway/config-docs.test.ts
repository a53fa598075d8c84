/** docs/configuration.md says of each part when it takes effect, as the schema and OpenAPI do. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { EFFECT_KEY, EFFECTS, type Effect } from '../../src/reader-gateway/api/effects.js';
import { ReaderSettings } from '../../src/reader-gateway/api/reader-settings.js';
import { RESOURCES } from '../../src/reader-gateway/api/resources.js';
import type { TSchema } from '../../src/reader-gateway/api/schema.js';
import { PACKAGE_ROOT } from '../../src/shared/package-info.js';

const text = readFileSync(join(PACKAGE_ROOT, 'docs/configuration.md'), 'utf8');

/** Every part of all settings that says when it takes effect, by its path. */
function effects(schema: TSchema, path = ''): [string, Effect][] {
  if (EFFECT_KEY in schema) return [[path, schema[EFFECT_KEY] as Effect]];
  return Object.entries((schema.properties ?? {}) as Record<string, TSchema>).flatMap(
    ([key, inner]) => effects(inner, path === '' ? key : `${path}.${key}`),
  );
}

t.test('each part says when it takes effect', async (t) => {
  const found = effects(ReaderSettings);
  const leaves = (schema: TSchema): number =>
    Object.values((schema.properties ?? {}) as Record<string, TSchema>)
      .map((inner) => (EFFECT_KEY in inner || !('properties' in inner) ? 1 : leaves(inner)))
      .reduce((sum, count) => sum + count, 0);
  // All but the version of the file.
  t.equal(found.length, leaves(ReaderSettings) - 1);
  const rows = text.split('\n').filter((line) => /^\| `/.test(line));
  t.same(
    rows.filter((row) => Object.keys(EFFECTS).some((effect) => row.endsWith(` | ${effect} |`))),
    found.map(([path, effect]) => `| \`${path}\` | ${effect} |`),
  );
  for (const [effect, meaning] of Object.entries(EFFECTS)) {
    t.ok(rows.includes(`| \`${effect}\` | ${meaning} |`), effect);
  }
});

t.test('the OpenAPI document says it too', async (t) => {
  const shown = JSON.parse(JSON.stringify(RESOURCES.ReaderConfiguration));
  const gateway = shown.properties['READER-GATEWAY'].properties;
  t.equal(gateway.retention['x-takes-effect'], 'reconnects');
  t.equal(gateway.endpointConfig['x-takes-effect'], 'reconnects');
  t.equal(shown.properties.xml['x-takes-effect'], 'stored');
});
