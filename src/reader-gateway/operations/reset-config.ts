import { FactoryReset, FactoryResetAnswer } from '../api/reader-settings.js';
import { unlessUnavailable } from '../radio/reading.js';
import { Accepted } from './accepted.js';
import type { Operation } from './operation.js';

export const resetConfig: Operation = {
  name: 'resetConfig',
  summary: 'Factory reset: reboots the reader, after the answer, to one that was never set',
  method: 'PUT',
  path: '/cloud/config/reset',
  mqttCommand: 'reset_config',
  channel: 'management',
  requestSchema: FactoryReset,
  responseSchema: undefined,
  acceptedSchema: FactoryResetAnswer,
  async run({ platform, settings, reading, reboots, onReboot, log }, _request, afterAnswer) {
    // First what may fail: a reader that cannot reboot keeps what it has.
    const rebootNow = await reboots.prepare(platform.power);
    await reading.stop().catch(unlessUnavailable);
    const withdraw = await settings.requestReset();
    afterAnswer(() => {
      log.warn('factory reset, as a client asked');
      rebootNow().then(
        () => onReboot(),
        (err) => {
          log.error({ err }, 'the reboot of a factory reset failed: there is no reset');
          withdraw().catch((error) =>
            log.error({ err: error }, 'the reset comes at the next start'),
          );
        },
      );
    });
    return new Accepted('The reader is reset and reboots now');
  },
};
