/** Compiles what a document says, to check values against it. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

// biome-ignore lint/suspicious/noExplicitAny: tests look into documents
export type Document = any;

const compilers = new WeakMap<Document, Ajv2020>();

/** @param keys Where the schema is in the document; it may refer to others of it. */
export function compile(document: Document, ...keys: string[]): ValidateFunction {
  let ajv = compilers.get(document);
  if (ajv === undefined) {
    ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
    ajv.addSchema({ ...document, $id: 'document:' });
    compilers.set(document, ajv);
  }
  const pointer = keys.map((key) => key.replaceAll('~', '~0').replaceAll('/', '~1'));
  return ajv.compile({ $ref: `document:#/${pointer.map(encodeURIComponent).join('/')}` });
}

/** As clients get it. */
export function asSent(document: object): Document {
  return JSON.parse(JSON.stringify(document));
}
