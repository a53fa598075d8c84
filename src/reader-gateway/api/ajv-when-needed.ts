/** The compiler of schemas, loaded by who compiles one: a start does not. */
import { createRequire } from 'node:module';

// The bundler takes this line out: its own `require` has the package in the bundle.
const require = createRequire(import.meta.url);

export function loadAjv(): typeof import('ajv/dist/2020.js').Ajv2020 {
  return require('ajv/dist/2020.js').Ajv2020;
}
