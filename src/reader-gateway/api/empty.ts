/** Requests and answers without content. */
import { Type } from './schema.js';

/** A request that needs no payload; whatever it carries is ignored. */
export const NoPayload = Type.Object({}, { description: 'No payload' });
