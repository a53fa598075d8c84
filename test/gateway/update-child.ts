/** A process with an emulated device, for tests that cut its power: STATE_FOLDER URL. */
import { pino } from 'pino';
import { createUpdater } from '../../src/reader-gateway/update/create.js';

const [stateDir = '', url = ''] = process.argv.slice(2);

const tell = (phase: string, error = '') => process.send?.({ phase, error });
const updater = createUpdater({
  stateDir,
  log: pino({ level: 'silent' }),
  radioAnswers: () => true,
  firmwareUpdateProgress: ({ status, error }) => tell(status, error),
  // The test counts no boots.
  update: { maxBoots: 1000, confirmMs: 30_000 },
});
// Loaded and ready before it is needed: the test has many of these, one after the other.
await new Promise((resolve) => process.once('message', resolve));
await updater.open();
tell('started');
updater.resume();
if (updater.status === undefined) {
  const retry = { policy: { wait: { min: 0, max: 0 } } };
  (await updater.begin({ url, authenticationType: 'NONE', retry }))();
}
