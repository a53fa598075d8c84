/** Delivery of what waits (PUT /cloud/setdataToRG). */
import { Type } from './schema.js';

export const SendWaiting = Type.Object(
  {},
  {
    additionalProperties: false,
    description: 'Nothing: it carries no data, and fields are refused',
  },
);
