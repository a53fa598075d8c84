/** Import of a cloud configuration (PUT /cloud/cloudConfig). */
import { EndpointConfig } from './config.js';
import { orNull, Type } from './schema.js';

export const CloudConfig = Type.Object(
  { endpointConfig: orNull(EndpointConfig) },
  { description: 'Connections, in the form of READER-GATEWAY.endpointConfig' },
);
