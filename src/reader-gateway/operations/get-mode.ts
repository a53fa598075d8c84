import { GetMode, OperatingMode } from '../api/mode.js';
import { effectiveMode } from '../mode/effective.js';
import { maskSecrets } from '../state/secrets.js';
import type { Operation } from './operation.js';

export const getMode: Operation = {
  name: 'getMode',
  summary:
    'The operating mode: as it was set, or with verbose all that holds; passwords of tags are masked',
  method: 'GET',
  path: '/cloud/mode',
  mqttCommand: 'get_mode',
  channel: 'control',
  requestSchema: GetMode,
  responseSchema: OperatingMode,
  async run({ modes, radio }, request): Promise<OperatingMode> {
    const { verbose = false } = request as GetMode;
    const mode = verbose ? effectiveMode(modes.present, await radio.capabilities()) : modes.present;
    return maskSecrets(mode);
  },
};
