import { invalid, isSingulateError } from '../../shared/errors.js';
import { GpioLed } from '../api/gpio-led.js';
import { changeReaderConfig } from './change-config.js';
import type { Operation } from './operation.js';

const PREFIX = 'GPIO-LED.';

export const setGpioLed: Operation = {
  name: 'setGpioLed',
  summary: 'Change what outputs and LEDs do at events; keys that are not given stay',
  method: 'PUT',
  path: '/cloud/gpioLed',
  mqttCommand: 'set_gpio_led_config',
  channel: 'management',
  requestSchema: GpioLed,
  responseSchema: undefined,
  async run(context, request) {
    try {
      await changeReaderConfig(context, { 'GPIO-LED': request });
    } catch (error) {
      if (!isSingulateError(error, 'INVALID')) throw error;
      // The client's fields are those of the part.
      throw invalid(
        error.violations.map(({ field, message }) => ({
          field: field.startsWith(PREFIX) ? field.slice(PREFIX.length) : field,
          message,
        })),
      );
    }
  },
};
