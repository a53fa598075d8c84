import { NoPayload } from '../api/empty.js';
import { RebootAnswer } from '../api/reboot.js';
import { Accepted } from './accepted.js';
import type { Operation } from './operation.js';

export const reboot: Operation = {
  name: 'reboot',
  summary: 'Reboot the reader, after the answer',
  method: 'PUT',
  path: '/cloud/reboot',
  mqttCommand: 'reboot',
  channel: 'management',
  requestSchema: NoPayload,
  responseSchema: undefined,
  acceptedSchema: RebootAnswer,
  async run({ platform, reboots, onReboot, log }, _request, afterAnswer) {
    const rebootNow = await reboots.prepare(platform.power);
    afterAnswer(() => {
      log.warn('rebooting, as a client asked');
      rebootNow().then(
        () => onReboot(),
        (err) => log.error({ err }, 'the reboot failed'),
      );
    });
    const text: RebootAnswer = 'The reader reboots now';
    return new Accepted(text);
  },
};
