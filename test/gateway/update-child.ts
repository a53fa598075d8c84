/** A process with an emulated device, for tests that cut its power: STATE_FOLDER URL. */

import { join } from 'node:path';
import { pino } from 'pino';
import { openPlatform } from '../../src/platform/platform.js';
import { EVERYWHERE } from '../../src/reader-gateway/fetch/reach.js';
import { NamedFiles } from '../../src/reader-gateway/tls/named-files.js';
import { Updater } from '../../src/reader-gateway/update/updater.js';
import { endWithStarter } from '../../src/shared/end-with-starter.js';

endWithStarter();

const [stateDir = '', url = ''] = process.argv.slice(2);
const log = pino({ level: 'silent' });
const tell = (phase: string, error = '') => process.send?.({ phase, error });

/** A boot of the device. */
async function start(): Promise<Updater> {
  // The test counts no boots.
  const platform = await openPlatform('emulated', { stateDir, bootId: '', maxBoots: 1000, log });
  const updater = new Updater({
    files: new NamedFiles('/nowhere'),
    reach: EVERYWHERE,
    engine: platform.update,
    folder: join(stateDir, 'update'),
    log,
    reboot: async () => {
      await (await platform.power.prepareReboot())();
      setImmediate(() => void updater.close().then(start));
    },
    radioAnswers: () => true,
    firmwareUpdateProgress: ({ status, error }) => tell(status, error),
    confirmMs: 30_000,
  });
  await updater.open();
  tell('started');
  updater.resume();
  return updater;
}

// Loaded and ready before it is needed: the test has many of these, one after the other.
await new Promise((resolve) => process.once('message', resolve));
const updater = await start();
if (updater.status === undefined) {
  const retry = { policy: { wait: { min: 0, max: 0 } } };
  (await updater.begin({ url, authenticationType: 'NONE', retry }))();
}
