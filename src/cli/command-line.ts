/** Splits a command line into a command and option values. Throws CONFIG errors. */
import { configError, errorMessage } from '../shared/errors.js';
import type { CertificatesRequest } from './certificates/grpc-certificates-command.js';
import { takeForCertificates } from './certificates/request.js';
import type { EmulateRequest } from './emulate-command.js';
import {
  checkEmulated,
  checkModulesRequest,
  takeForEmulate,
  takeForModules,
} from './module-arguments.js';
import type { ModulesRequest } from './modules-command.js';
import { OPTIONS, type OptionName, type OptionSpec } from './option-table.js';
import { checkText, type OptionValue } from './option-values.js';

export const COMMANDS = [
  'start',
  'scenarios',
  'packet-log',
  'gpi',
  'gpo',
  'io',
  'config',
  'modules',
  'emulate',
  'grpc-certificates',
  'help',
  'version',
] as const;
export type Command = (typeof COMMANDS)[number];

export type GivenOptions = Partial<Record<OptionName, OptionValue>>;

export interface CommandLine {
  command: Command;
  options: GivenOptions;
  /** `scenarios --schema`. */
  schema: boolean;
  /** Of `packet-log FILE --recording FILE`. */
  file?: string;
  recording?: string;
  /** Of `gpi PORT LEVEL ...` and `gpo PORT LEVEL ...`. */
  levels: WantedLevel[];
  /** Of `config`. */
  config: ConfigRequest;
  modules: ModulesRequest;
  emulate: EmulateRequest;
  certificates: CertificatesRequest;
}

export const CONFIG_ACTIONS = ['template', 'check', 'export', 'import', 'reset'] as const;
export type ConfigAction = (typeof CONFIG_ACTIONS)[number];

export interface ConfigRequest {
  action?: ConfigAction;
  file?: string;
  withSecrets: boolean;
  yes: boolean;
}

export interface WantedLevel {
  port: number;
  high: boolean;
}

/** Which options a command takes; those of a running reader say where it is. */
const ANY_OPTION: readonly OptionName[] = OPTIONS.map(({ name }) => name);
const TAKES: Partial<Record<Command, readonly OptionName[]>> = {
  start: ANY_OPTION,
  gpi: ['state-dir', 'config'],
  gpo: ['state-dir', 'config'],
  io: ['state-dir', 'config'],
  config: ['state-dir', 'config'],
};

const HELP_HINT = '(singulate --help lists what there is)';

export function parseCommandLine(args: readonly string[]): CommandLine {
  const [first] = args;
  const named = first !== undefined && !first.startsWith('-');
  const result: CommandLine = {
    command: 'start',
    options: {},
    schema: false,
    levels: [],
    config: { withSecrets: false, yes: false },
    modules: { ports: [], json: false },
    emulate: { baudPacing: false, json: false },
    certificates: { hosts: [] },
  };
  const emulated: string[] = [];
  if (named) result.command = toCommand(first);
  const rest = [...args.slice(named ? 1 : 0)];
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    if (arg === '--help' || arg === '-h') return { ...result, command: 'help' };
    if (arg === '--version' || arg === '-V') return { ...result, command: 'version' };
    if (arg === '--schema' && result.command === 'scenarios') result.schema = true;
    else if (result.command === 'packet-log') takeForPacketLog(result, arg, rest);
    else if (result.command === 'config') takeForConfig(result, arg, rest);
    else if (result.command === 'modules') takeForModules(result.modules, arg, rest);
    else if (result.command === 'grpc-certificates') {
      takeForCertificates(result.certificates, arg, rest);
    } else if (result.command === 'emulate') {
      const kind = takeForEmulate(result.emulate, arg, rest);
      if (kind !== undefined) emulated.push(kind);
    } else if (takesLevels(result.command) && !arg.startsWith('-')) takeLevel(result, arg, rest);
    else if (!arg.startsWith('-')) throw configError(`unexpected argument ${arg} ${HELP_HINT}`);
    else takeOption(result, arg, rest);
  }
  if (result.command === 'packet-log' && result.file === undefined) {
    throw configError(`packet-log needs a file ${HELP_HINT}`);
  }
  if (result.command === 'grpc-certificates' && result.certificates.folder === undefined) {
    throw configError(`grpc-certificates needs a folder ${HELP_HINT}`);
  }
  if (result.command === 'config') checkConfigRequest(result.config);
  if (result.command === 'modules') checkModulesRequest(result.modules);
  if (result.command === 'emulate') checkEmulated(emulated);
  return result;
}

function takeForConfig(result: CommandLine, arg: string, rest: string[]): void {
  const { config } = result;
  if (arg === '--yes' && config.action === 'reset') config.yes = true;
  else if (arg === '--with-secrets' && config.action === 'export') config.withSecrets = true;
  else if (arg.startsWith('-')) takeOption(result, arg, rest);
  else if (config.action === undefined) config.action = toAction(arg);
  else if (config.file !== undefined || ['template', 'reset'].includes(config.action)) {
    throw configError(`unexpected argument ${arg} ${HELP_HINT}`);
  } else config.file = arg;
}

function toAction(text: string): ConfigAction {
  const action = CONFIG_ACTIONS.find((name) => name === text);
  if (action !== undefined) return action;
  throw configError(`unknown action ${text} of config; allowed: ${CONFIG_ACTIONS.join(', ')}`);
}

function checkConfigRequest({ action, file }: ConfigRequest): void {
  if (action === undefined) {
    throw configError(`config needs an action; allowed: ${CONFIG_ACTIONS.join(', ')}`);
  }
  if (file === undefined && (action === 'check' || action === 'import')) {
    throw configError(`config ${action} needs a file ${HELP_HINT}`);
  }
}

function takeForPacketLog(result: CommandLine, arg: string, rest: string[]): void {
  if (arg === '--recording') {
    const recording = rest.shift();
    if (recording === undefined) throw configError('--recording needs a value: --recording FILE');
    result.recording = recording;
  } else if (arg.startsWith('-')) {
    throw configError(`unknown option ${arg} ${HELP_HINT}`);
  } else if (result.file !== undefined) {
    throw configError(`unexpected argument ${arg} ${HELP_HINT}`);
  } else {
    result.file = arg;
  }
}

function takesLevels(command: Command): boolean {
  return command === 'gpi' || command === 'gpo';
}

function takeLevel(result: CommandLine, port: string, rest: string[]): void {
  const form = `${result.command} PORT high|low [PORT high|low ...]`;
  if (!/^[1-9]\d{0,2}$/.test(port)) {
    throw configError(`${result.command}: ${port} is not a port; allowed: ${form}`);
  }
  const level = rest.shift()?.toLowerCase();
  if (level !== 'high' && level !== 'low') {
    const given = level === undefined ? 'no level' : level;
    throw configError(`${result.command} ${port}: ${given} given; allowed: ${form}`);
  }
  result.levels.push({ port: Number(port), high: level === 'high' });
}

function toCommand(text: string): Command {
  const command = COMMANDS.find((name) => name === text);
  if (command !== undefined) return command;
  throw configError(`unknown command ${text}; allowed: ${COMMANDS.join(', ')}`);
}

function takeOption(result: CommandLine, arg: string, rest: string[]): void {
  const equals = arg.indexOf('=');
  const given = equals < 0 ? arg : arg.slice(0, equals);
  const spec: OptionSpec | undefined = OPTIONS.find(({ name }) => `--${name}` === given);
  const name = spec?.name as OptionName;
  if (spec === undefined || !TAKES[result.command]?.includes(name)) {
    throw configError(`unknown option ${given} ${HELP_HINT}`);
  }
  if (spec.kind === 'flag') {
    if (equals >= 0) throw configError(`${given} takes no value`);
    result.options[name] = true;
    return;
  }
  const text = equals >= 0 ? arg.slice(equals + 1) : rest.shift();
  // An option in the place of a value is a value forgotten; --name=--odd says it is not.
  if (text === undefined || (equals < 0 && text.startsWith('--'))) {
    throw configError(`${given} needs a value: ${given} ${spec.value}`);
  }
  try {
    result.options[name] = checkText(spec, text);
  } catch (error) {
    throw configError(`${given}: ${errorMessage(error)}`);
  }
}
