/** access: what is done on each singulated tag. */
import { AccessOperation, type AccessOperationInput, Bank } from '../../contract/messages.js';
import type { ReaderModel } from '../../shared/reader-model/reader-model.js';
import type { AccessCommand, OperatingMode } from '../api/mode.js';
import { joinPath, show } from '../api/validate.js';
import { LOCK_ACTIONS, lockPayload } from './lock-actions.js';
import { listPerAntenna, type Problems } from './problems.js';
import type { RadioFacts } from './radio-facts.js';

/** One command of the interface: as many operations of the radio as it takes, and its result. */
export interface AccessPlan {
  type: AccessCommand['type'];
  operations: AccessOperationInput[];
}

export const BANKS = {
  RESERVED: Bank.BANK_RESERVED,
  EPC: Bank.BANK_EPC,
  TID: Bank.BANK_TID,
  USER: Bank.BANK_USER,
} as const;

const CONFIG_FIELDS: Readonly<Record<AccessCommand['type'], readonly string[]>> = {
  READ: ['membank', 'wordPointer', 'wordCounter'],
  WRITE: ['membank', 'wordPointer', 'data', 'blockSize'],
  LOCK: ['actions'],
  KILL: ['password'],
  ACCESS: ['password'],
};

const MAX_WORD = 65_535;
const MAX_WORDS = 255;
const DIGITS_PER_WORD = 4;

export function compileAccess(
  mode: OperatingMode,
  count: number,
  radio: RadioFacts,
  model: ReaderModel,
  problems: Problems,
): AccessPlan[][] {
  const given = mode.access ?? [];
  if (given.length > 0 && !radio.hasAccess) {
    problems.add('access', 'the radio cannot access the memory of tags');
  }
  return listPerAntenna<AccessCommand, AccessPlan>(
    given,
    count,
    'access',
    problems,
    (list, field) => {
      const plans = list.map((one, i) => compileCommand(one, `${field}[${i}]`, problems));
      const operations = plans.reduce((sum, plan) => sum + plan.operations.length, 0);
      if (operations > model.maxAccessOperations) {
        problems.add(
          field,
          `takes ${operations} operations; allowed: at most ${model.maxAccessOperations}`,
        );
      }
      return plans;
    },
  );
}

function compileCommand(command: AccessCommand, field: string, problems: Problems): AccessPlan {
  const { type } = command;
  const config = command.config as Record<string, unknown>;
  const at = `${field}.config`;
  for (const name of Object.keys(config)) {
    if (CONFIG_FIELDS[type].includes(name)) continue;
    const known = CONFIG_FIELDS[type].join(', ');
    problems.add(joinPath(at, name), `is not known here; known are ${known}`);
  }
  switch (type) {
    case 'READ':
      return { type, operations: [read(config, at, problems)] };
    case 'WRITE':
      return { type, operations: write(config, at, problems) };
    case 'LOCK':
      return { type, operations: [lock(config, at, problems)] };
    case 'KILL':
    case 'ACCESS':
      return { type, operations: [password(type, config, at, problems)] };
  }
}

type Config = Record<string, unknown>;

function bankOf(config: Config, field: string, problems: Problems): number {
  // Public clients write RES as they do in a Select.
  const name = config.membank === 'RES' ? 'RESERVED' : config.membank;
  if (typeof name === 'string' && Object.hasOwn(BANKS, name))
    return BANKS[name as keyof typeof BANKS];
  problems.add(
    `${field}.membank`,
    name === undefined ? 'is required' : `${show(name)} is not one of RESERVED, EPC, TID, USER`,
  );
  return 0;
}

function integerOf(
  config: Config,
  key: string,
  limits: { min: number; max: number; default?: number },
  field: string,
  problems: Problems,
): number {
  const value = config[key] ?? limits.default;
  if (value === undefined) {
    problems.add(`${field}.${key}`, 'is required');
    return limits.min;
  }
  return problems.integer(`${field}.${key}`, value, limits.min, limits.max) ? value : limits.min;
}

function read(config: Config, field: string, problems: Problems): AccessOperationInput {
  return {
    kind: AccessOperation.Kind.READ,
    bank: bankOf(config, field, problems),
    wordPointer: integerOf(config, 'wordPointer', { min: 0, max: MAX_WORD }, field, problems),
    wordCount: integerOf(config, 'wordCounter', { min: 0, max: MAX_WORDS }, field, problems),
  };
}

/** More words than a command can carry, or than blockSize says, become several operations. */
function write(config: Config, field: string, problems: Problems): AccessOperationInput[] {
  const bank = bankOf(config, field, problems);
  const pointer = integerOf(config, 'wordPointer', { min: 0, max: MAX_WORD }, field, problems);
  const blockSize = integerOf(
    config,
    'blockSize',
    { min: 0, max: MAX_WORDS, default: 0 },
    field,
    problems,
  );
  const { data } = config;
  if (typeof data !== 'string' || !/^([0-9a-fA-F]{4})+$/.test(data)) {
    problems.add(
      `${field}.data`,
      data === undefined
        ? 'is required'
        : `${show(data)} is not whole words of ${DIGITS_PER_WORD} hexadecimal digits`,
    );
    return [];
  }
  const words = Buffer.from(data, 'hex');
  const step = 2 * (blockSize > 0 ? blockSize : MAX_WORDS);
  const { WRITE, BLOCK_WRITE } = AccessOperation.Kind;
  const operations: AccessOperationInput[] = [];
  for (let at = 0; at < words.length; at += step) {
    operations.push({
      kind: blockSize > 0 ? BLOCK_WRITE : WRITE,
      bank,
      wordPointer: pointer + at / 2,
      data: words.subarray(at, at + step),
    });
  }
  return operations;
}

function lock(config: Config, field: string, problems: Problems): AccessOperationInput {
  const { actions } = config;
  const operation = { kind: AccessOperation.Kind.LOCK };
  if (!Array.isArray(actions) || actions.length === 0) {
    problems.add(
      `${field}.actions`,
      actions === undefined ? 'is required' : `${show(actions)} is not an array of lock actions`,
    );
    return operation;
  }
  const known = actions.filter((action, i): action is string => {
    const is = typeof action === 'string' && Object.hasOwn(LOCK_ACTIONS, action);
    if (!is) {
      const names = Object.keys(LOCK_ACTIONS).join(', ');
      problems.add(`${field}.actions[${i}]`, `${show(action)} is not one of ${names}`);
    }
    return is;
  });
  const payload = lockPayload(known);
  if (payload === undefined) {
    problems.add(`${field}.actions`, `${show(known)} asks for two things of the same field`);
    return operation;
  }
  return { ...operation, lockMask: payload.mask, lockAction: payload.action };
}

function password(
  type: 'KILL' | 'ACCESS',
  config: Config,
  field: string,
  problems: Problems,
): AccessOperationInput {
  const given = config.password;
  const right = typeof given === 'string' && /^[0-9a-fA-F]{8}$/.test(given);
  if (!right) {
    // Not shown: it may be a secret with a slip in it.
    problems.add(
      `${field}.password`,
      given === undefined ? 'is required' : 'is not 8 hexadecimal digits',
    );
  } else if (type === 'KILL' && Number.parseInt(given, 16) === 0) {
    problems.add(`${field}.password`, 'is 0: a tag without a kill password cannot be killed');
  }
  return {
    kind: AccessOperation.Kind[type],
    password: right ? Number.parseInt(given, 16) : 0,
  };
}
