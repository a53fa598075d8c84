/** Login (GET /cloud/localRestLogin). */
import { type Static, Type } from './schema.js';

export const Login = Type.Object(
  {
    code: Type.Literal(0),
    message: Type.String({ description: 'The JWT for the Authorization: Bearer header, 24 h' }),
  },
  { description: 'A successful login' },
);
export type Login = Static<typeof Login>;
