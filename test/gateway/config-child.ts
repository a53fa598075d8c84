/** A process with a gateway whose radio is away, for tests that kill it: STATE_FOLDER PASSWORD. */
import { pino } from 'pino';
import { ensureLogin } from '../../src/reader-gateway/auth/login-store.js';
import { Gateway } from '../../src/reader-gateway/gateway.js';
import { endWithStarter } from '../../src/shared/end-with-starter.js';

const [stateDir = '', password = ''] = process.argv.slice(2);

endWithStarter();
// Loaded and ready before it is needed: the test has many of these, one after the other.
await new Promise((resolve) => process.once('message', resolve));
await ensureLogin(stateDir, password);
const gateway = await Gateway.start({
  stateDir,
  restHost: '127.0.0.1',
  restPort: 0,
  radio: `unix:${stateDir}/away.sock`,
  bootId: 'this boot',
  autostart: false,
  log: pino({ level: 'silent' }),
  onEndpoints: () => {},
});
process.send?.({ url: gateway.restUrl });
