/** What an operation of the interface is. REST and MQTT both call operations, and nothing else. */
import type { TSchema } from '@sinclair/typebox';
import type { UserApps } from '../apps/user-apps.js';
import type { EndpointStatus } from '../endpoint-status.js';
import type { RadioLink } from '../radio/radio-link.js';
import type { Reading } from '../radio/reading.js';
import type { ConfigStore } from '../state/config-store.js';
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
  apps: UserApps;
  endpoints(): EndpointStatus[];
  /** Brings the connections in step with the configuration. */
  applyConnections(): void;
}

export interface Operation {
  /** Name in the OpenAPI document. */
  name: string;
  summary: string;
  method: 'GET' | 'PUT' | 'POST';
  /**
   * Path below the host: /cloud/mode. A part in braces is a field of the request, which travels in
   * the payload over MQTT: /cloud/apps/{appname}/start.
   */
  path: string;
  mqttCommand: string;
  channel: 'control' | 'management';
  requestSchema: TSchema;
  /** undefined: the answer has no content. */
  responseSchema: TSchema | undefined;
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
