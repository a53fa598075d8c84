import { ExplainedMode } from '../api/explain.js';
import { OperatingMode } from '../api/mode.js';
import { explainMode as explain } from '../mode/explain.js';
import type { Operation } from './operation.js';

export const explainMode: Operation = {
  name: 'explainMode',
  summary: 'Check an operating mode without setting it: the plan of each antenna, what it predicts',
  method: 'POST',
  path: '/cloud/mode',
  mqttCommand: 'explain_mode',
  channel: 'control',
  requestSchema: OperatingMode,
  responseSchema: ExplainedMode,
  checksItself: true,
  async run({ wanted }, request): Promise<ExplainedMode> {
    const { compiled, explanation } = await wanted.explain(request);
    return explain(compiled, explanation);
  },
};
