/** Reboot (PUT /cloud/reboot, reboot). */
import { type Static, Type } from './schema.js';

export const RebootAnswer = Type.String({ description: 'What happens now, for people' });
export type RebootAnswer = Static<typeof RebootAnswer>;
