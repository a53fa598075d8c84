/** Compiles the schemas that a start needs, in the place of the empty list that stands in the sources. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import { stop, transform } from 'esbuild';

const CODE = 'ready-code.cjs';

/** @param root Of the project; its TypeScript was compiled just now. */
export async function writeReadyValidators(root) {
  const folder = join(root, 'dist/src/reader-gateway');
  const load = (file) => import(pathToFileURL(join(folder, file)).href);
  const [{ CHECKED_AT_START }, { AJV_OPTIONS, compilerInput, readyKey }] = await Promise.all([
    load('checked-at-start.js'),
    load('api/compile-schema.js'),
  ]);
  // What is compiled once for all may take its time: the code is optimized.
  const ajv = new Ajv2020({ ...AJV_OPTIONS, code: { source: true } });
  const names = {};
  const entries = CHECKED_AT_START.map(({ schema, form }, index) => {
    const name = `v${index}`;
    ajv.addSchema(compilerInput(schema, form), name);
    names[name] = name;
    return `  [${JSON.stringify(readyKey(schema, form))}, code.${name}],\n`;
  });
  try {
    // Nobody reads it: names need not stay.
    const { code } = await transform(standalone.default(ajv, names), { minify: true });
    writeFileSync(join(folder, 'api', CODE), code);
  } finally {
    // Its service would live as long as the command that comes after.
    await stop();
  }
  writeFileSync(
    join(folder, 'api/ready-validators.js'),
    `import code from './${CODE}';\nexport const READY = new Map([\n${entries.join('')}]);\n`,
  );
}
