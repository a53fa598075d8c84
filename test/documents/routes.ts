/** Every route of the REST interface. */
import type { Operation } from '../../src/reader-gateway/operations/operation.js';

/** An operation as tables name it: some share a method and a path. */
export function routeOf({ method, path, name }: Operation): string {
  return `${method} ${path} (${name})`;
}

/** What is no operation: documents, pages, streams, what is not there. */
export const OTHER_ROUTES: readonly { method: string; path: string }[] = [
  '/cloud/localRestLogin',
  '/cloud/openapi.json',
  '/cloud/asyncapi.json',
  '/cloud/docs',
  '/cloud/docs/events',
  '/cloud/docs/operations.js',
  '/cloud/docs/events.js',
  '/cloud/docs/pages.css',
  '/cloud/docs/swagger-ui.css',
  '/cloud/docs/swagger-ui.js',
  '/cloud/events',
  '/cloud/metrics',
  '/not/there',
].map((path) => ({ method: 'GET', path }));
