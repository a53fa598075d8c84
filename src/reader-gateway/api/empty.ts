/** Requests and answers without content. */
import { Type } from './schema.js';

/** A request that needs no payload, and may have none. */
export const NoPayload = Type.Object({}, { description: 'No payload' });
