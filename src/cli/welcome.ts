/** What a user is told first: where everything is, and commands to copy. */
import { isAbsolute, join, relative } from 'node:path';
import { isVirtual } from '../radio-control/module/radio-option.js';
import { LOCAL_BROKER_USER, localBrokerPasswordFile } from '../shared/local-broker-login.js';
import { PACKAGE_ROOT } from '../shared/package-info.js';
import type { Settings } from './settings.js';
import { radioSocket } from './state-dir.js';

export interface Login {
  user: string;
  /** Only when it was made just now. */
  newPassword?: string;
}

export interface Addresses {
  /** From this machine. */
  rest: string;
  /** Where it listens. */
  restListens: string;
  mqtt: string;
  grpc: string;
  grpcTcp?: string;
}

/** Of IPv4: the REST interface is there for the network, not for this machine alone. */
const EVERYWHERE = '0.0.0.0';

export function addresses({ restPort, mqttPort, grpc: { listen }, stateDir }: Settings): Addresses {
  return {
    rest: `https://127.0.0.1:${restPort}`,
    restListens: `${EVERYWHERE}:${restPort}`,
    mqtt: `mqtt://127.0.0.1:${mqttPort}`,
    grpc: `unix:${radioSocket(stateDir)}`,
    ...(listen === undefined ? {} : { grpcTcp: `${inUrl(listen.host)}:${listen.port}` }),
  };
}

function inUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

export function radioSource({ radio, replay, scenario, fast }: Settings): string {
  if (!isVirtual(radio)) return `radio module ${radio}`;
  const what = replay === undefined ? `scenario ${scenario}` : `replay of ${replay}`;
  return fast ? `${what}, as fast as it can` : what;
}

/** Commands to copy, by what they use. */
export function exampleCommands(settings: Settings, login: Login, cwd: string): [string, string][] {
  const { rest, grpc } = addresses(settings);
  // Without a password here, curl asks for it.
  const user = login.newPassword === undefined ? login.user : `${login.user}:${login.newPassword}`;
  const token = `curl -sku ${user} ${rest}/cloud/localRestLogin | sed 's/.*"message": *"//; s/".*//'`;
  const example = relative(cwd, join(PACKAGE_ROOT, 'docs/examples/oem-client.mjs'));
  const client =
    example.startsWith('..') || isAbsolute(example)
      ? join(PACKAGE_ROOT, 'docs/examples/oem-client.mjs')
      : example;
  return [
    ['REST', `curl -skH "Authorization: Bearer $(${token})" ${rest}/cloud/status`],
    [
      'MQTT',
      `npx mqtt sub -h 127.0.0.1 -p ${settings.mqttPort} ${brokerLogin(settings)} -t singulate/d-evt`,
    ],
    ['gRPC', `node ${client} ${grpc}`],
  ];
}

/** As options of a command for a shell, which reads the file itself. */
function brokerLogin({ stateDir }: Settings): string {
  const file = localBrokerPasswordFile(stateDir).replaceAll("'", `'\\''`);
  return `-u ${LOCAL_BROKER_USER} -P "$(cat '${file}')"`;
}

/** The lines above the live view. Commands stay in one line each, so that they can be copied. */
export function welcomeLines(
  settings: Settings,
  login: Login,
  version: string,
  cwd: string,
): string[] {
  const { rest, restListens, mqtt, grpc, grpcTcp } = addresses(settings);
  const password =
    login.newPassword === undefined
      ? 'with the password you have'
      : `password ${login.newPassword} (shown once)`;
  return [
    `Singulate ${version}: ${radioSource(settings)}`,
    '',
    `  REST   ${rest}   user ${login.user}, ${password}`,
    `         listens on ${restListens}: from other machines https://ADDRESS:${settings.restPort}`,
    `  MQTT   ${mqtt}   tag events on topic singulate/d-evt`,
    `  gRPC   ${grpc}${grpcTcp === undefined ? '' : ` and ${grpcTcp}`}`,
    '',
    'Try in another terminal:',
    ...exampleCommands(settings, login, cwd).map(([, command]) => `  ${command}`),
    '',
  ];
}
