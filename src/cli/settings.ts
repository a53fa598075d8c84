/** The settings of a start: command line before environment before config file before default. */
import { join, resolve } from 'node:path';
import type { PlatformName } from '../platform/platform-name.js';
import { isVirtual, parseRadio } from '../radio-control/module/radio-option.js';
import { configError } from '../shared/errors.js';
import { LOG_MEGABYTES } from '../shared/log-files.js';
import type { LogFormat } from '../shared/log-formats.js';
import type { GivenOptions } from './command-line.js';
import { readConfigFile } from './config-file.js';
import { readEnvironment } from './environment.js';
import { type GrpcSettings, grpcSettings } from './grpc-settings.js';
import { environmentName } from './option-table.js';

export interface Settings {
  /** Absolute. */
  stateDir: string;
  restPort: number;
  mqttPort: number;
  grpc: GrpcSettings;
  radio: string;
  scenario: string;
  replay: string | undefined;
  gpio: string | undefined;
  fast: boolean;
  autostart: boolean;
  password: string | undefined;
  trustLocalPrograms: boolean;
  openTagEvents: boolean;
  refuseLocalFetches: boolean;
  /** Absolute paths with colons between them; undefined: as the platform has it. */
  certificateFolders: string | undefined;
  seed: number | undefined;
  logFormat: LogFormat;
  /** Of each service. */
  logMegabytes: number;
  platform: PlatformName;
  updateCert: string | undefined;
}

export interface Surroundings {
  env: NodeJS.ProcessEnv;
  isTerminal: boolean;
}

interface Source {
  options: GivenOptions;
  /** How the source calls an option, for messages. */
  nameOf(option: string): string;
}

/** The default state dir, seen from the working directory. */
const DEFAULT_STATE_DIR = '.singulate';
const VIRTUAL_RADIO = 'virtual';
const CONFIG_NAME = 'singulate.json';

/** Throws CONFIG. */
export async function resolveSettings(
  commandLine: GivenOptions,
  { env, isTerminal }: Surroundings,
): Promise<Settings> {
  const above: Source[] = [
    { options: commandLine, nameOf: (option) => `--${option}` },
    { options: readEnvironment(env), nameOf: environmentName },
  ];
  const file = await configFile(above);
  const sources = [...above, file];
  const options: GivenOptions = {};
  for (const source of [...sources].reverse()) mergeOver(options, source);
  checkRadio(options, sources);

  return {
    stateDir: resolve(text(options['state-dir']) ?? DEFAULT_STATE_DIR),
    restPort: (options['rest-port'] as number | undefined) ?? 8443,
    mqttPort: (options['mqtt-port'] as number | undefined) ?? 1883,
    grpc: grpcSettings(options),
    radio: text(options.radio) ?? VIRTUAL_RADIO,
    scenario: text(options.scenario) ?? 'dock-door',
    replay: text(options.replay),
    gpio: text(options.gpio),
    fast: options.fast === true,
    autostart: options['no-autostart'] !== true,
    password: text(options.password),
    trustLocalPrograms: options['trust-local-programs'] === true,
    openTagEvents: options['open-tag-events'] === true,
    refuseLocalFetches: options['refuse-local-fetches'] === true,
    certificateFolders: text(options['certificate-folders']),
    seed: options.seed as number | undefined,
    logFormat: (options['log-format'] as LogFormat | undefined) ?? (isTerminal ? 'pretty' : 'json'),
    logMegabytes: (options['log-mb'] as number | undefined) ?? LOG_MEGABYTES,
    platform: (options.platform as PlatformName | undefined) ?? 'emulated',
    updateCert: text(options['update-cert']),
  };
}

/** A module has tags of its own, and its own time. */
function checkRadio(options: GivenOptions, sources: readonly Source[]): void {
  const { radio } = options;
  if (radio === undefined || parseRadio(radio as string).kind === 'virtual') return;
  for (const option of ['fast', 'seed', 'scenario', 'replay'] as const) {
    if (options[option] === undefined || options[option] === false) continue;
    const source = sources.find((one) => one.options[option] !== undefined) as Source;
    throw configError(`${source.nameOf(option)} is for simulated radios; not with ${radio}`);
  }
}

async function configFile(above: Source[]): Promise<Source> {
  const given = (name: 'config' | 'state-dir') =>
    text(above.find(({ options }) => options[name] !== undefined)?.options[name]);
  const named = given('config');
  const path = named ?? join(given('state-dir') ?? DEFAULT_STATE_DIR, CONFIG_NAME);
  const options = await readConfigFile({ path: resolve(path), named: named !== undefined });
  return { options, nameOf: (option) => `${path}: ${option}` };
}

/** Of the radio's sources (a field, a recording, a module) that of the stronger one counts. */
function mergeOver(options: GivenOptions, { options: stronger, nameOf }: Source): void {
  if (stronger.scenario !== undefined && stronger.replay !== undefined) {
    throw configError(
      `${nameOf('scenario')} and ${nameOf('replay')} are both given; allowed: one of the two`,
    );
  }
  const fields = ['radio', 'scenario', 'replay'] as const;
  const isChosen = fields.some(
    (field) =>
      stronger[field] !== undefined && !(field === 'radio' && isVirtual(stronger[field] as string)),
  );
  if (isChosen) for (const field of fields) delete options[field];
  if (stronger['grpc-listen'] !== undefined && stronger['grpc-port'] === undefined) {
    delete options['grpc-port'];
  } else if (stronger['grpc-port'] !== undefined && stronger['grpc-listen'] === undefined) {
    delete options['grpc-listen'];
  }
  Object.assign(options, stronger);
}

function text(value: unknown): string | undefined {
  return value as string | undefined;
}
