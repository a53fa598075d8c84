/** The OpenAPI document of a reader, as what answers are held against. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Operation } from '../../src/reader-gateway/operations/operation.js';
import type { Outcome } from './doors.js';

interface Documented {
  responses: Record<string, { content?: Record<string, { schema: object }> }>;
}

export class Document {
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });
  readonly #paths: Record<string, Record<string, Documented>>;

  constructor(document: { paths: Record<string, Record<string, Documented>> }) {
    this.#paths = document.paths;
    this.#ajv.addSchema({ $id: 'https://reader/', ...document });
  }

  statusesOf({ path, method }: Operation): number[] {
    return Object.keys(this.#find(path, method)?.responses ?? {}).map(Number);
  }

  /** @returns Why the document does not have this answer; undefined: it has. */
  faultOf({ path, method }: Operation, { status, body, contentType }: Outcome): string | undefined {
    const response = this.#find(path, method)?.responses[status];
    if (response === undefined) return `status ${status} is not in the document`;
    const { content } = response;
    if (content === undefined) return body === undefined ? undefined : 'has content';
    const found = content[contentType];
    if (found === undefined) {
      return `${contentType} is not one of ${Object.keys(content).join(', ')}`;
    }
    if ((found.schema as { format?: string }).format === 'binary') return undefined;
    const pointer = ['paths', path, method.toLowerCase(), 'responses', `${status}`, 'content']
      .concat(contentType, 'schema')
      .map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
      .join('/');
    const validate = this.#ajv.getSchema(`https://reader/#/${pointer}`);
    if (validate === undefined) return `no schema at ${pointer}`;
    return validate(body) ? undefined : this.#ajv.errorsText(validate.errors);
  }

  #find(path: string, method: string): Documented | undefined {
    return this.#paths[path]?.[method.toLowerCase()];
  }
}
