import { AppLedState } from '../api/app-led.js';
import { NoPayload } from '../api/empty.js';
import type { Operation } from './operation.js';

export const getAppLed: Operation = {
  name: 'getAppLed',
  summary: 'Whether what an application set the application LED to still holds',
  method: 'GET',
  path: '/cloud/app-led',
  mqttCommand: 'get_appled',
  channel: 'management',
  requestSchema: NoPayload,
  responseSchema: AppLedState,
  async run({ gpioLed }): Promise<AppLedState> {
    return gpioLed.appLed.state;
  },
};
