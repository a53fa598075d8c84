/** What an operation of the interface is. REST and MQTT both call operations, and nothing else. */
import type { TSchema } from '@sinclair/typebox';
import type { Platform } from '../../platform/adapters.js';
import type { NtpWatch } from '../../platform/ntp-watch.js';
import type { Cached } from '../../shared/cached.js';
import type { Logger } from '../../shared/log.js';
import type { Setting } from '../../shared/setting.js';
import type { StateFault } from '../../shared/state-faults.js';
import type { OperatingMode } from '../api/mode.js';
import type { NameAndDescription } from '../api/name-and-description.js';
import type { Status } from '../api/status.js';
import type { UserApps } from '../apps/user-apps.js';
import type { Login } from '../auth/login.js';
import type { CertificateStore } from '../certificates/certificate-store.js';
import type { EndpointStatus } from '../endpoint-status.js';
import type { Reach } from '../fetch/reach.js';
import type { ProcessHealth } from '../gateway-options.js';
import type { GpioLedControl } from '../gpio-led/gpio-led.js';
import type { RadioLines } from '../io/radio-lines.js';
import type { Logs } from '../logs/logs.js';
import type { RadioLink } from '../radio/radio-link.js';
import type { RadioSettings } from '../radio/radio-settings.js';
import type { Reading } from '../radio/reading.js';
import type { WantedPlan } from '../radio/wanted-plan.js';
import type { Settings } from '../settings/settings.js';
import type { ConfigStore } from '../state/config-store.js';
import type { CableFile } from '../state/setting-kinds.js';
import type { Certificates } from '../tls/certificates.js';
import type { Updater } from '../update/updater.js';
import type { Machine } from './machine.js';
import type { Reboots } from './reboots.js';

/** What operations work on. */
export interface OperationContext {
  radio: RadioLink;
  lines: RadioLines;
  reading: Reading;
  wanted: WantedPlan;
  radioSettings: RadioSettings;
  /** Files of the state folder that cannot be used. */
  stateFaults(): readonly StateFault[];
  modes: Setting<OperatingMode>;
  config: ConfigStore;
  machine: Machine;
  certificates: Certificates;
  /** Where a client may send the reader to. */
  reach: Reach;
  certificateStore: CertificateStore;
  platform: Platform;
  ntp: NtpWatch;
  cables: Setting<CableFile>;
  description: Setting<NameAndDescription | undefined>;
  login: Login;
  log: Logger;
  logs: Logs;
  settings: Settings;
  apps: UserApps;
  update: Updater;
  gpioLed: GpioLedControl;
  health?: ProcessHealth | undefined;
  /** Of readerStatus(), a little old: it costs more than all else of its answer. */
  status: Cached<Status>;
  /** Whether event numbers go on over a restart. */
  numbers: { readonly isKept: boolean };
  endpoints(): EndpointStatus[];
  /** Hurries the tag events that wait. @returns Number of connections there are for them. */
  sendWaiting(): number;
  /** Brings the connections in step with the configuration. */
  applyConnections(): void;
  /** Those that clients ask for. */
  reboots: Reboots;
  /** The device was told to reboot; one that is emulated restarts its services. */
  onReboot(): void;
  /** Takes up an installed certificate that changed: in the connections, and in the REST server. */
  applyCertificates(): void;
}

export type Method = 'GET' | 'PUT' | 'POST' | 'DELETE';

export interface Operation {
  /** Name in the OpenAPI document. */
  name: string;
  summary: string;
  method: Method;
  /**
   * Path below the host: /cloud/mode. Parameters, as in /cloud/certificates/{certname}, are texts
   * of the request: over MQTT they are in the payload.
   */
  path: string;
  mqttCommand: string;
  /** Other names of the command that clients use. */
  mqttAliases?: readonly string[];
  channel: 'control' | 'management';
  requestSchema: TSchema;
  /** undefined: the answer has no content, or is a file. */
  responseSchema: TSchema | undefined;
  /** Of an answer that is Accepted; left out: there is none. */
  acceptedSchema?: TSchema;
  /** Over REST the fields may be in the query string also of a PUT, as the interface has it. */
  inQuery?: true;
  /** A wrong request is answered with status 422 instead of 400 over REST, as the interface has it. */
  unprocessable?: true;
  /** Content types of the files that run answers with, each a FileAnswer. */
  fileTypes?: readonly string[];
  /**
   * Of operations that share a method and a path: whether this one is meant. The first that says
   * so is run; the last of them need not ask.
   */
  takes?(request: Readonly<Record<string, unknown>>): boolean;
  /** HTTP statuses of errors beside those of every operation. */
  moreErrors?: readonly number[];
  /**
   * @param request Has passed requestSchema, unless checksItself says that run does all of it.
   * @param afterAnswer Takes work that must wait until the client has its answer.
   * @param client Where the request comes from: an address, or the name of a door.
   * @throws SingulateError
   */
  run(
    context: OperationContext,
    request: unknown,
    afterAnswer: (work: () => void) => void,
    client: string,
  ): Promise<unknown>;
  /** True if run checks the request: it finds more than a schema can say, and tells all at once. */
  checksItself?: boolean;
}

/** Whether the fields may be in the query string: browsers and many clients send no body with these. */
export function takesQuery({ method, inQuery }: Operation): boolean {
  return inQuery === true || method === 'GET' || method === 'DELETE';
}
