/** What people call the reader (GET and PUT /cloud/nameAndDescription). */
import { type Static, Type } from './schema.js';

export const NameAndDescription = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 255 }),
    description: Type.String({ maxLength: 1024 }),
  },
  { description: 'Reader name' },
);
export type NameAndDescription = Static<typeof NameAndDescription>;
