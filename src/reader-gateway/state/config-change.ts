/** What a change of the reader configuration makes of the stored one. Pure. */
import { invalid, type Violation } from '../../shared/errors.js';
import type { EndpointConfig, ReaderConfig, ReaderGatewayConfig } from '../api/config.js';
import { ReaderConfig as ReaderConfigSchema } from '../api/config.js';
import type { Connection } from '../api/connection.js';
import { assertRequest, assertValid } from '../api/validate.js';
import { connectionProblems, sharedProblems } from './connection-rules.js';
import { otherDestination } from './destination.js';
import {
  connectionsAt,
  ENDPOINT_PATHS,
  type EndpointPath,
  pathText,
  withConnections,
} from './endpoint-paths.js';
import { type Board, gpioLedProblems } from './gpio-led-rules.js';
import { restoreSecrets } from './secrets.js';

const GATEWAY_PARTS = ['retention', 'batching', 'managementEventConfig'] as const;

/**
 * A configuration that takes the place of the stored one as a whole; only what its masks hide comes
 * from the stored one.
 * @throws INVALID naming every wrong field.
 */
export function replaceConfig(
  stored: ReaderConfig,
  given: unknown,
  factory: EndpointConfig,
  board?: Board,
): ReaderConfig {
  return applyChange({}, stored, given, factory, board);
}

/**
 * Merges by part: xml; each key of GPIO-LED; retention, batching and managementEventConfig as
 * wholes; each path of endpointConfig. Parts that are not in the change stay.
 * @param board What the inputs, outputs and LEDs of the change must be among; undefined: unknown.
 * @throws INVALID naming every wrong field; then nothing has changed.
 */
export function changeConfig(
  stored: ReaderConfig,
  change: unknown,
  factory: EndpointConfig,
  board?: Board,
): ReaderConfig {
  return applyChange(stored, stored, change, factory, board);
}

/** @param stored Where the secrets of connections are, and what paths held before. */
function applyChange(
  base: ReaderConfig,
  stored: ReaderConfig,
  change: unknown,
  factory: EndpointConfig,
  board: Board | undefined,
): ReaderConfig {
  assertRequest(ReaderConfigSchema, change);
  const given = change as ReaderConfig;
  const problems: Violation[] = [];
  const next: ReaderConfig = { ...base };
  if (given.xml !== undefined) next.xml = given.xml;
  if (given['GPIO-LED'] !== undefined) {
    if (board !== undefined)
      problems.push(...gpioLedProblems(given['GPIO-LED'], board, 'GPIO-LED'));
    next['GPIO-LED'] = { ...base['GPIO-LED'], ...given['GPIO-LED'] };
  }
  const gateway = given['READER-GATEWAY'];
  if (gateway !== undefined) {
    next['READER-GATEWAY'] = changeGateway(
      base['READER-GATEWAY'] ?? {},
      stored['READER-GATEWAY'] ?? {},
      gateway,
      factory,
      problems,
    );
  }
  if (problems.length > 0) throw invalid(problems);
  return next;
}

function changeGateway(
  base: ReaderGatewayConfig,
  stored: ReaderGatewayConfig,
  given: ReaderGatewayConfig,
  factory: EndpointConfig,
  problems: Violation[],
): ReaderGatewayConfig {
  const next: ReaderGatewayConfig = { ...base };
  for (const part of GATEWAY_PARTS) {
    if (given[part] !== undefined) Object.assign(next, { [part]: given[part] });
  }
  for (const path of ENDPOINT_PATHS) {
    const connections = connectionsAt(given.endpointConfig, path);
    if (connections === undefined) continue;
    const before = connectionsAt(stored.endpointConfig, path) ?? connectionsAt(factory, path) ?? [];
    const restored = checkPath(path, connections, before, problems);
    // What a client sends back as it got it stays the factory's own, and follows the factory.
    const same = JSON.stringify(restored) === JSON.stringify(connectionsAt(factory, path));
    next.endpointConfig = withConnections(next.endpointConfig, path, same ? undefined : restored);
  }
  const all = (path: EndpointPath) =>
    connectionsAt(next.endpointConfig, path) ?? connectionsAt(factory, path) ?? [];
  problems.push(...portProblems(all));
  return next;
}

/** Both kinds of events may have servers on this reader. */
function portProblems(all: (path: EndpointPath) => readonly Connection[]): Violation[] {
  const [data, management] = [
    ['data', 'event'],
    ['management', 'event'],
  ] as const;
  return sharedProblems(all(data), pathText(data), all(management), pathText(management));
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
  const endpoints = config['READER-GATEWAY']?.endpointConfig;
  problems.push(...portProblems((path) => connectionsAt(endpoints, path) ?? []));
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
  problems.push(...connectionProblems(connections, text));
  return connections.map((connection, index) => {
    const { name } = connection;
    const old =
      name === undefined ? before[index] : before.find((candidate) => candidate.name === name);
    const refusal = otherDestination(connection, old);
    return restoreSecrets(connection, old, `${text}[${index}]`, { problems, refusal });
  });
}
