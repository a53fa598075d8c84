/** The OpenAPI document of a reader, as what answers are held against; references are followed. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Operation } from '../../src/reader-gateway/operations/operation.js';
import type { Outcome } from './doors.js';

interface Response {
  content?: Record<string, { schema: object }>;
}

interface Documented {
  responses: Record<string, Response | { $ref: string }>;
}

interface OpenApi {
  paths: Record<string, Record<string, Documented>>;
  components: { responses: Record<string, Response> };
}

const SHARED = '#/components/responses/';

export class Document {
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });
  readonly #document: OpenApi;

  constructor(document: OpenApi) {
    this.#document = document;
    this.#ajv.addSchema({ $id: 'https://reader/', ...document });
  }

  statusesOf({ path, method }: Operation): number[] {
    return Object.keys(this.#find(path, method)?.responses ?? {}).map(Number);
  }

  /** @returns Why the document does not have this answer; undefined: it has. */
  faultOf(operation: Operation, { status, body, contentType }: Outcome): string | undefined {
    const found = this.#response(operation, status);
    if (found === undefined) return `status ${status} is not in the document`;
    const { response, place } = found;
    const { content } = response;
    if (content === undefined) return body === undefined ? undefined : 'has content';
    const described = content[contentType];
    if (described === undefined) {
      return `${contentType} is not one of ${Object.keys(content).join(', ')}`;
    }
    if ((described.schema as { format?: string }).format === 'binary') return undefined;
    const pointer = [...place, 'content', contentType, 'schema']
      .map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
      .join('/');
    const validate = this.#ajv.getSchema(`https://reader/#/${pointer}`);
    if (validate === undefined) return `no schema at ${pointer}`;
    return validate(body) ? undefined : this.#ajv.errorsText(validate.errors);
  }

  /** With the names that lead to it in the document. */
  #response(
    { path, method }: Operation,
    status: number,
  ): { response: Response; place: string[] } | undefined {
    const response = this.#find(path, method)?.responses[status];
    if (response === undefined) return undefined;
    if (!('$ref' in response)) {
      const place = ['paths', path, method.toLowerCase(), 'responses', `${status}`];
      return { response, place };
    }
    const name = response.$ref.slice(SHARED.length);
    const shared = this.#document.components.responses[name];
    if (shared === undefined) throw new Error(`${response.$ref} leads nowhere`);
    return { response: shared, place: ['components', 'responses', name] };
  }

  #find(path: string, method: string): Documented | undefined {
    return this.#document.paths[path]?.[method.toLowerCase()];
  }
}
