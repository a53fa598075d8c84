import { AppLedAnswer, SetAppLed } from '../api/app-led.js';
import type { Operation } from './operation.js';

export const setAppLed: Operation = {
  name: 'setAppLed',
  summary: 'Set the application LED for some seconds',
  method: 'PUT',
  path: '/cloud/app-led',
  mqttCommand: 'set_appled',
  channel: 'management',
  requestSchema: SetAppLed,
  responseSchema: AppLedAnswer,
  inQuery: true,
  run({ gpioLed }, request): Promise<AppLedAnswer> {
    return gpioLed.appLed.override(request as SetAppLed);
  },
};
