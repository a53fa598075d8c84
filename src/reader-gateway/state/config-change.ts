/** What a change of the reader configuration makes of the stored one. Pure. */
import { invalid, type Violation } from '../../shared/errors.js';
import type { EndpointConfig, ReaderConfig, ReaderGatewayConfig } from '../api/config.js';
import { ReaderConfig as ReaderConfigSchema } from '../api/config.js';
import type { Connection } from '../api/connection.js';
import { assertRequest, assertValid } from '../api/validate.js';
import { connectionProblems } from './connection-rules.js';
import {
  connectionsAt,
  ENDPOINT_PATHS,
  type EndpointPath,
  pathText,
  withConnections,
} from './endpoint-paths.js';
import { restoreSecrets } from './secrets.js';

const GATEWAY_PARTS = ['retention', 'batching', 'managementEventConfig'] as const;

/**
 * Merges by part: xml; each key of GPIO-LED; retention, batching and managementEventConfig as
 * wholes; each path of endpointConfig. Parts that are not in the change stay.
 * @throws INVALID naming every wrong field; then nothing has changed.
 */
export function changeConfig(
  stored: ReaderConfig,
  change: unknown,
  factory: EndpointConfig,
): ReaderConfig {
  assertRequest(ReaderConfigSchema, change);
  const given = change as ReaderConfig;
  const next: ReaderConfig = { ...stored };
  if (given.xml !== undefined) next.xml = given.xml;
  if (given['GPIO-LED'] !== undefined) {
    next['GPIO-LED'] = { ...stored['GPIO-LED'], ...given['GPIO-LED'] };
  }
  const gateway = given['READER-GATEWAY'];
  if (gateway !== undefined) {
    next['READER-GATEWAY'] = changeGateway(stored['READER-GATEWAY'] ?? {}, gateway, factory);
  }
  return next;
}

function changeGateway(
  stored: ReaderGatewayConfig,
  given: ReaderGatewayConfig,
  factory: EndpointConfig,
): ReaderGatewayConfig {
  const next: ReaderGatewayConfig = { ...stored };
  for (const part of GATEWAY_PARTS) {
    if (given[part] !== undefined) Object.assign(next, { [part]: given[part] });
  }
  const problems: Violation[] = [];
  for (const path of ENDPOINT_PATHS) {
    const connections = connectionsAt(given.endpointConfig, path);
    if (connections === undefined) continue;
    const before = connectionsAt(stored.endpointConfig, path) ?? connectionsAt(factory, path) ?? [];
    const restored = checkPath(path, connections, before, problems);
    // What a client sends back as it got it stays the factory's own, and follows the factory.
    const same = JSON.stringify(restored) === JSON.stringify(connectionsAt(factory, path));
    next.endpointConfig = withConnections(next.endpointConfig, path, same ? undefined : restored);
  }
  if (problems.length > 0) throw invalid(problems);
  return next;
}

/** What a stored configuration must be. @throws INVALID naming every wrong field. */
export function checkStored(stored: unknown): ReaderConfig {
  assertValid(ReaderConfigSchema, stored);
  const config = stored as ReaderConfig;
  const problems: Violation[] = [];
  for (const path of ENDPOINT_PATHS) {
    const connections = connectionsAt(config['READER-GATEWAY']?.endpointConfig, path) ?? [];
    checkPath(path, connections, connections, problems);
  }
  if (problems.length > 0) throw invalid(problems);
  return config;
}

function checkPath(
  path: EndpointPath,
  connections: readonly Connection[],
  before: readonly Connection[],
  problems: Violation[],
): Connection[] {
  const text = pathText(path);
  if (path[0] === 'management' && path[1] === 'event' && connections.length > 0) {
    problems.push({
      field: text,
      message: 'management events are not supported by this version; only an empty list is allowed',
    });
  }
  problems.push(...connectionProblems(connections, text));
  return connections.map((connection, index) => {
    const { name } = connection;
    const old =
      name === undefined ? before[index] : before.find((candidate) => candidate.name === name);
    return restoreSecrets(connection, old, `${text}[${index}]`, problems);
  });
}
