import { NoPayload } from '../api/empty.js';
import { GpioLed } from '../api/gpio-led.js';
import type { Operation } from './operation.js';

export const getGpioLed: Operation = {
  name: 'getGpioLed',
  summary: 'What outputs and LEDs do at events; a part of the reader configuration',
  method: 'GET',
  path: '/cloud/gpioLed',
  mqttCommand: 'get_gpio_led_config',
  channel: 'management',
  requestSchema: NoPayload,
  responseSchema: GpioLed,
  async run({ config }): Promise<GpioLed> {
    return config.stored['GPIO-LED'] ?? {};
  },
};
