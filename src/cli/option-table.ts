/** The one table of options: command line, environment, config file and --help all come from it. */
import { PLATFORM_NAMES } from '../platform/platform-name.js';
import { DEFAULT_LIMITS } from '../radio-control/grpc/client-limits.js';
import { LOG_MEGABYTES } from '../shared/log-files.js';
import { LOG_FORMATS } from '../shared/log-formats.js';

export type OptionKind =
  | 'path'
  | 'text'
  | 'source'
  | 'port'
  | 'listen'
  | 'streams'
  | 'seed'
  | 'megabytes'
  | 'flag'
  | 'platform'
  | 'radio'
  | 'log-format';

export interface OptionSpec {
  /** Long name, which is also the key in a config file. */
  name: string;
  kind: OptionKind;
  /** What stands for the value in --help; flags have none. */
  value?: string;
  help: string;
  /** Shown in --help; the values themselves are in settings.ts. */
  shownDefault?: string;
}

export const OPTIONS = [
  {
    name: 'state-dir',
    kind: 'path',
    value: 'DIR',
    help: 'folder for everything that lasts: login, settings, logs, the radio socket',
    shownDefault: './.singulate',
  },
  {
    name: 'rest-port',
    kind: 'port',
    value: 'PORT',
    help: 'port of the REST interface (HTTPS)',
    shownDefault: '8443',
  },
  {
    name: 'mqtt-port',
    kind: 'port',
    value: 'PORT',
    help: 'port of the MQTT broker, on 127.0.0.1',
    shownDefault: '1883',
  },
  {
    name: 'grpc-port',
    kind: 'port',
    value: 'PORT',
    help: 'short for --grpc-listen 127.0.0.1:PORT',
    shownDefault: 'off',
  },
  {
    name: 'grpc-listen',
    kind: 'listen',
    value: 'HOST:PORT',
    help: 'gRPC over TLS here as well as on STATE_DIR/radio.sock (docs/grpc-security.md)',
    shownDefault: 'off',
  },
  { name: 'grpc-cert', kind: 'path', value: 'FILE', help: 'PEM certificate of gRPC over TLS' },
  { name: 'grpc-key', kind: 'path', value: 'FILE', help: 'its key; only the service may read it' },
  {
    name: 'grpc-client-ca',
    kind: 'path',
    value: 'FILE',
    help: 'PEM certificates of those who sign the certificates of gRPC clients',
  },
  {
    name: 'grpc-client-crl',
    kind: 'path',
    value: 'FILE',
    help: 'PEM list of certificates that they have revoked',
  },
  {
    name: 'grpc-observer-socket',
    kind: 'path',
    value: 'PATH',
    help: 'Unix socket of gRPC for everybody on the reader, who may look but not touch',
    shownDefault: 'off',
  },
  {
    name: 'grpc-max-streams',
    kind: 'streams',
    value: 'N',
    help: 'open streams of one gRPC client',
    shownDefault: String(DEFAULT_LIMITS.maxStreams),
  },
  {
    name: 'radio',
    kind: 'radio',
    value: 'RADIO',
    help: 'virtual[:KIND], or mercury:/dev/PORT for a module on a serial line (docs/modules.md)',
    shownDefault: 'virtual',
  },
  {
    name: 'scenario',
    kind: 'source',
    value: 'FILE|NAME',
    help: 'simulate this field of tags (singulate scenarios lists the names)',
    shownDefault: 'dock-door',
  },
  { name: 'replay', kind: 'path', value: 'FILE', help: 'replay the reads of this CSV recording' },
  {
    name: 'gpio',
    kind: 'text',
    value: 'CHIPS',
    help: 'inputs and outputs are these lines, as /dev/gpiochip0:gpi=17,27:gpo=22 (docs/gpio.md)',
    shownDefault: 'inputs as told, outputs only remembered',
  },
  { name: 'fast', kind: 'flag', help: 'run as fast as the processor can, not in real time' },
  { name: 'no-autostart', kind: 'flag', help: 'do not start reading by itself' },
  {
    name: 'password',
    kind: 'text',
    value: 'TEXT',
    help: 'password of the user admin from now on, 8 characters or more (better in the environment)',
    shownDefault: 'made at the first start and shown once',
  },
  {
    name: 'trust-local-programs',
    kind: 'flag',
    help: 'REST takes programs on this reader without a login (docs/security.md)',
  },
  {
    name: 'open-tag-events',
    kind: 'flag',
    help: 'programs on this reader read tag events from its MQTT broker without a login',
  },
  {
    name: 'refuse-local-fetches',
    kind: 'flag',
    help: 'fetch nothing from this machine and its link, test no connection to it (docs/security.md)',
  },
  {
    name: 'certificate-folders',
    kind: 'text',
    value: 'A:B',
    help: 'take certificates and keys that clients name by path below these folders only',
    shownDefault: 'everywhere; with --platform linux those of the system',
  },
  {
    name: 'seed',
    kind: 'seed',
    value: 'N',
    help: 'seed of the simulated radio: the same seed, the same reads',
    shownDefault: "the scenario's",
  },
  {
    name: 'log-format',
    kind: 'log-format',
    value: LOG_FORMATS.join('|'),
    help: 'form of the log lines',
    shownDefault: 'pretty on a terminal, else json',
  },
  {
    name: 'log-mb',
    kind: 'megabytes',
    value: 'N',
    help: 'megabytes of all log files of one service together',
    shownDefault: String(LOG_MEGABYTES),
  },
  {
    name: 'platform',
    kind: 'platform',
    value: PLATFORM_NAMES.join('|'),
    help: 'what settings, reboots and OS updates work on: a device of its own, or this machine',
    shownDefault: 'emulated',
  },
  {
    name: 'update-cert',
    kind: 'path',
    value: 'FILE',
    help: 'PEM certificates of those whose OS updates the emulated device takes',
    shownDefault: 'STATE_DIR/update/trusted.pem',
  },
  {
    name: 'config',
    kind: 'path',
    value: 'FILE',
    help: 'JSON file with options, by their names without the dashes',
    shownDefault: 'STATE_DIR/singulate.json, if it is there',
  },
] as const satisfies readonly OptionSpec[];

export type OptionName = (typeof OPTIONS)[number]['name'];

export function environmentName(option: string): string {
  return `SINGULATE_${option.toUpperCase().replaceAll('-', '_')}`;
}
