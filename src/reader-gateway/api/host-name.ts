/** The name of the reader in the network (PUT /cloud/hostname, set_hostname). */
import { type Static, Type } from './schema.js';

export const HostName = Type.Object(
  { hostname: Type.String({ minLength: 1, description: 'Letters, digits, hyphens and dots' }) },
  { description: 'Host name' },
);
export type HostName = Static<typeof HostName>;
