/** The login at the MQTT broker that comes with the reader: for its services, and for whom the owner gives it to. */
import { join } from 'node:path';

export const LOCAL_BROKER_USER = 'local';

/** Its one line is the password; only the user of the services may read it. */
export function localBrokerPasswordFile(stateDir: string): string {
  return join(stateDir, 'broker-password');
}
