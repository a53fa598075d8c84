/** Inputs, outputs and LEDs. */
import type { Group } from '../operation-case.js';

export const lines: Group = async () => ({
  getGpiStatus: { success: {}, needs: ['radio'] },
  getGpoStatus: { success: {}, needs: ['radio'] },
  setGpo: { success: { port: 1, state: true }, needs: ['radio'] },
  getAppLed: { success: {} },
  setAppLed: { success: { color: 'red', seconds: 1 } },
  getGpioLed: { success: {} },
  setGpioLed: {
    success: {
      GPODefaults: { 1: 'HIGH' },
      TAG_READ: [
        { type: 'GPO', pin: 2, state: 'HIGH', blink: { ON: 100, OFF: 100, DURATION: 200 } },
      ],
    },
  },
});
