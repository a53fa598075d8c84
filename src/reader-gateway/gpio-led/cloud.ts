/** Whether the reader is connected to a cloud: what CLOUD_CONNECT and IS_CLOUD_CONNECTED mean. */
import type { EndpointStatus } from '../endpoint-status.js';
import type { EndpointPath } from '../state/endpoint-paths.js';

const PATHS: Readonly<Record<EndpointStatus['interface'], EndpointPath>> = {
  data: ['data', 'event'],
  control: ['control', 'commandResponse'],
  management: ['management', 'commandResponse'],
  managementEvent: ['management', 'event'],
};

/**
 * An MQTT broker, of whatever cloud, is the cloud; the broker that the reader brings along is not.
 * @param isFactory Whether the connections of a path are those to the reader's own broker.
 */
export function cloudConnected(
  endpoints: readonly EndpointStatus[],
  isFactory: (path: EndpointPath) => boolean,
): boolean {
  return endpoints.some(
    ({ interface: kind, type, state }) =>
      state === 'connected' && type.startsWith('mqtt') && !isFactory(PATHS[kind]),
  );
}
