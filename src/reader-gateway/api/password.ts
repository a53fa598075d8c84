/** The password of the reader (PUT /cloud/updatePassword). */
import { type Static, Type } from './schema.js';

export const MIN_PASSWORD = 8;
export const MAX_PASSWORD = 128;
/** A password of before this rule may be of any length that a header can carry. */
const MAX_CURRENT = 4096;

export const UpdatePassword = Type.Object(
  {
    userName: Type.String({ minLength: 1, maxLength: 256 }),
    currentPassword: Type.String({ minLength: 1, maxLength: MAX_CURRENT }),
    newPassword: Type.String({
      minLength: MIN_PASSWORD,
      maxLength: MAX_PASSWORD,
      pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$',
      description: 'a text without control characters',
    }),
  },
  { description: 'Another password for the user of the reader' },
);
export type UpdatePassword = Static<typeof UpdatePassword>;
