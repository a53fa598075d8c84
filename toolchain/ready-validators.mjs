/** Code of the schemas that a start needs, as a CommonJS module, and the keys that it is found by. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';

/**
 * @param root Of the project; its TypeScript is compiled.
 * @returns code: exports `v0`, `v1` ...; keys: what each of them is found by (readyKey()).
 */
export async function readyValidators(root) {
  const load = (file) => import(pathToFileURL(join(root, 'dist/src/reader-gateway', file)).href);
  const [{ CHECKED_AT_START }, { AJV_OPTIONS, compilerInput, readyKey }] = await Promise.all([
    load('checked-at-start.js'),
    load('api/compile-schema.js'),
  ]);
  const ajv = new Ajv2020({ ...AJV_OPTIONS, code: { source: true } });
  const names = {};
  const keys = CHECKED_AT_START.map(({ schema, form }, index) => {
    const name = `v${index}`;
    ajv.addSchema(compilerInput(schema, form), name);
    names[name] = name;
    return readyKey(schema, form);
  });
  return { code: standalone.default(ajv, names), keys };
}
