/** What an operation of the interface is. REST and MQTT both call operations, and nothing else. */
import type { TSchema } from '@sinclair/typebox';
import type { Platform } from '../../platform/adapters.js';
import type { NtpWatch } from '../../platform/ntp-watch.js';
import type { Logger } from '../../shared/log.js';
import type { EndpointStatus } from '../endpoint-status.js';
import type { Logs } from '../logs/logs.js';
import type { RadioLink } from '../radio/radio-link.js';
import type { Reading } from '../radio/reading.js';
import type { CableStore } from '../state/cable-store.js';
import type { ConfigStore } from '../state/config-store.js';
import type { DescriptionStore } from '../state/description-store.js';
import type { ModeStore } from '../state/mode-store.js';
import type { Certificates } from '../tls/certificates.js';
import type { Machine } from './machine.js';

/** What operations work on. */
export interface OperationContext {
  radio: RadioLink;
  reading: Reading;
  modes: ModeStore;
  config: ConfigStore;
  machine: Machine;
  certificates: Certificates;
  platform: Platform;
  ntp: NtpWatch;
  cables: CableStore;
  description: DescriptionStore;
  log: Logger;
  logs: Logs;
  endpoints(): EndpointStatus[];
  /** Brings the connections in step with the configuration. */
  applyConnections(): void;
  /** The device was told to reboot; one that is emulated restarts its services. */
  onReboot(): void;
}

export interface Operation {
  /** Name in the OpenAPI document. */
  name: string;
  summary: string;
  method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  /** Path below the host: /cloud/mode. A part `:name` is the field of that name of the request. */
  path: string;
  mqttCommand: string;
  channel: 'control' | 'management';
  requestSchema: TSchema;
  /** undefined: the answer has no content, or is a file. */
  responseSchema: TSchema | undefined;
  /** HTTP status of success; left out: 200. */
  successStatus?: 202;
  /** A wrong request is answered 422 without a body over REST, as the interface has it. */
  unprocessable?: true;
  /** Content types of the files that run answers with, each a FileAnswer. */
  fileTypes?: readonly string[];
  /** HTTP statuses of errors beside those of every operation. */
  moreErrors?: readonly number[];
  /**
   * @param request Has passed requestSchema, unless checksItself says that run does all of it.
   * @param afterAnswer Takes work that must wait until the client has its answer.
   * @throws SingulateError
   */
  run(
    context: OperationContext,
    request: unknown,
    afterAnswer: (work: () => void) => void,
  ): Promise<unknown>;
  /** True if run checks the request: it finds more than a schema can say, and tells all at once. */
  checksItself?: boolean;
}
