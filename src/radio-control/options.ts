/** Command line of the radio-control process. */
import { parseArgs } from 'node:util';
import { configError, errorMessage } from '../shared/errors.js';
import { LOG_MEGABYTES, PACKET_LOG_MEGABYTES } from '../shared/log-files.js';
import { LOG_FORMATS, type LogFormat } from '../shared/log-formats.js';
import type { GrpcServerOptions } from './grpc/server.js';
import { GRPC_OPTIONS, GRPC_USAGE, grpcOptions } from './grpc-options.js';
import { type GpioChipSpec, parseGpio } from './lines/gpio-option.js';
import { hasPins, parseRadio, type RadioSpec } from './module/radio-option.js';

export interface RadioControlOptions {
  grpc: GrpcServerOptions;
  radio: RadioSpec;
  scenario: string;
  replay: string | undefined;
  fast: boolean;
  seed: number | undefined;
  logFormat: LogFormat;
  /** Folder of log files; undefined: there are none. */
  logDir: string | undefined;
  /** Of all log files, the radio packet log apart. */
  logMegabytes: number;
  packetLogMegabytes: number;
  /** The reader's inputs and outputs; none: inputs are told by others, outputs only remembered. */
  gpio: GpioChipSpec[];
}

export const USAGE = `Usage: radio-control [--config FILE] ${GRPC_USAGE}
                     [--scenario FILE|NAME | --replay FILE | --radio mercury:PATH]
                     [--radio virtual:KIND]
                     [--fast] [--seed N] [--log-format json|pretty]
                     [--log-dir DIR] [--log-mb N] [--packet-log-mb N]
                     [--gpio "CHIP[:gpi=LINE,...][:gpo=LINE,...] ..."]`;

/** Throws a CONFIG error that names the option. */
export function parseOptions(args: string[]): RadioControlOptions {
  let values: Record<string, string | boolean | undefined>;
  try {
    ({ values } = parseArgs({
      args,
      options: {
        ...GRPC_OPTIONS,
        radio: { type: 'string' },
        scenario: { type: 'string' },
        replay: { type: 'string' },
        fast: { type: 'boolean' },
        seed: { type: 'string' },
        'log-format': { type: 'string' },
        'log-dir': { type: 'string' },
        'log-mb': { type: 'string' },
        'packet-log-mb': { type: 'string' },
        gpio: { type: 'string' },
      },
    }));
  } catch (error) {
    throw configError(`${errorMessage(error)}\n${USAGE}`);
  }
  const text = (name: string) => values[name] as string | undefined;
  const integer = (name: string, min: number, max: number) => {
    const given = text(name);
    if (given === undefined) return undefined;
    const value = Number(given);
    if (!/^\d+$/.test(given) || value < min || value > max) {
      throw configError(`--${name}: ${given} given; allowed: ${min}..${max}`);
    }
    return value;
  };

  const socket = text('socket');
  if (!socket) throw configError(`--socket is missing\n${USAGE}`);
  const replay = text('replay');
  if (replay !== undefined && text('scenario') !== undefined) {
    throw configError('--scenario and --replay exclude each other');
  }
  const radio = parseRadio(text('radio') ?? 'virtual');
  const ofSimulation = ['scenario', 'replay', 'fast', 'seed'].find(
    (name) => values[name] !== undefined,
  );
  if (radio.kind !== 'virtual' && ofSimulation !== undefined) {
    throw configError(
      `--${ofSimulation} is for simulated radios; not with --radio ${radio.kind === 'driver' ? radio.name : radio.kind}`,
    );
  }
  if (radio.kind === 'virtual' && radio.imitate !== undefined && replay !== undefined) {
    throw configError(
      `--replay has features of its own; not with --radio virtual:${radio.imitate}`,
    );
  }
  const gpio = text('gpio');
  if (gpio !== undefined && radio.kind === 'mercury' && hasPins(radio)) {
    throw configError('--gpio: the pins of --radio are the inputs and outputs already');
  }
  const logFormat = text('log-format') ?? 'json';
  if (!LOG_FORMATS.includes(logFormat as LogFormat)) {
    throw configError(`--log-format: ${logFormat} given; allowed: ${LOG_FORMATS.join(', ')}`);
  }
  return {
    grpc: grpcOptions(socket, { text, integer }),
    radio,
    scenario: text('scenario') ?? 'dock-door',
    replay,
    fast: values.fast === true,
    seed: integer('seed', 0, 2 ** 32 - 1),
    logFormat: logFormat as LogFormat,
    logDir: text('log-dir'),
    logMegabytes: integer('log-mb', 1, 1000) ?? LOG_MEGABYTES,
    packetLogMegabytes: integer('packet-log-mb', 1, 10_000) ?? PACKET_LOG_MEGABYTES,
    gpio: gpio === undefined ? [] : parseGpio(gpio),
  };
}
