import { ReaderConfig } from '../api/config.js';
import { changeReaderConfig } from './change-config.js';
import type { Operation } from './operation.js';

export const setConfig: Operation = {
  name: 'setConfig',
  summary: 'Change any part of the reader configuration, whole or not at all',
  method: 'PUT',
  path: '/cloud/config',
  mqttCommand: 'set_config',
  channel: 'management',
  requestSchema: ReaderConfig,
  responseSchema: undefined,
  checksItself: true,
  async run(context, request, afterAnswer) {
    await changeReaderConfig(context, request);
    // The answer may have to travel over a connection that this change closes.
    afterAnswer(context.applyConnections);
  },
};
