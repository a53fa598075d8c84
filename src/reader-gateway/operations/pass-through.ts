import { type Capabilities, RadioState, type RadioStatus } from '../../contract/messages.js';
import { counterToNumber } from '../../contract/time.js';
import { PassThrough, PassThroughAnswer, type RADIO_QUESTIONS } from '../api/pass-through.js';
import { maskSecrets } from '../state/secrets.js';
import type { Operation, OperationContext } from './operation.js';

type Question = (typeof RADIO_QUESTIONS)[number];

/** What is asked goes to the radio service as it is now; nothing is answered from memory. */
const ANSWERS: Readonly<Record<Question, (context: OperationContext) => Promise<unknown>>> = {
  version: async ({ radio }) => versionOf(await radio.presentCapabilities()),
  status: async ({ radio }) => statusOf(await radio.status()),
  mode: async ({ modes }) => maskSecrets(modes.present),
  capabilities: ({ radio }) => radio.presentCapabilities(),
  regions: ({ radio }) => radio.regions(),
};

export const passThrough: Operation = {
  name: 'passThrough',
  summary: 'Ask the radio service a diagnostic question',
  method: 'PUT',
  path: '/cloud/pass-through',
  mqttCommand: 'set_passthru',
  channel: 'management',
  requestSchema: PassThrough,
  responseSchema: PassThroughAnswer,
  async run(context, request): Promise<PassThroughAnswer> {
    const { payload } = request as PassThrough;
    return { response: JSON.stringify(plain(await ANSWERS[payload](context))) };
  },
};

function versionOf({ module, model, firmware, serviceVersion }: Capabilities): object {
  return { serviceVersion, module, model, firmware };
}

function statusOf({ state, owner, inventoryId, endReason, counters }: RadioStatus): object {
  return {
    state: RadioState[state].replace('RADIO_STATE_', '').toLowerCase(),
    owner,
    inventoryId,
    endReason,
    counters,
  };
}

/** A message of the contract as JSON has it: 64-bit numbers as numbers, its own fields only. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  if (isLong(value)) return counterToNumber(value);
  const fields = Object.entries(value).filter(([name]) => !name.startsWith('$'));
  return Object.fromEntries(fields.map(([name, inner]) => [name, plain(inner)]));
}

function isLong(value: object): value is { low: number; high: number; unsigned: boolean } {
  return 'low' in value && 'high' in value && 'unsigned' in value;
}
