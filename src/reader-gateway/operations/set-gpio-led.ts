import { GpioLed } from '../api/gpio-led.js';
import { changePart, changeReaderConfig } from './change-config.js';
import type { Operation } from './operation.js';

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
    await changePart('GPIO-LED', () => changeReaderConfig(context, { 'GPIO-LED': request }));
  },
};
