/** What an operation of the interface is. REST and MQTT both call operations, and nothing else. */
import type { TSchema } from '@sinclair/typebox';
import type { EndpointStatus } from '../endpoint-status.js';
import type { RadioLink } from '../radio/radio-link.js';
import type { Reading } from '../radio/reading.js';
import type { ConfigStore } from '../state/config-store.js';
import type { ModeStore } from '../state/mode-store.js';
import type { Certificates } from '../tls/certificates.js';
import type { Updater } from '../update/updater.js';
import type { Machine } from './machine.js';

/** What operations work on. */
export interface OperationContext {
  radio: RadioLink;
  reading: Reading;
  modes: ModeStore;
  config: ConfigStore;
  machine: Machine;
  certificates: Certificates;
  update: Updater;
  endpoints(): EndpointStatus[];
  /** Brings the connections in step with the configuration. */
  applyConnections(): void;
}

/** Answer of an operation: what was asked for, or asked about, is under way (HTTP status 202). */
export class Accepted {
  constructor(readonly body: unknown) {}
}

export interface Operation {
  /** Name in the OpenAPI document. */
  name: string;
  summary: string;
  method: 'GET' | 'PUT' | 'POST';
  /** Path below the host: /cloud/mode. */
  path: string;
  mqttCommand: string;
  channel: 'control' | 'management';
  requestSchema: TSchema;
  /** undefined: the answer has no content. */
  responseSchema: TSchema | undefined;
  /** Of an answer that is Accepted; undefined: there is none. */
  acceptedSchema?: TSchema;
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
