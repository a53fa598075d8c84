/** What a change of the reader configuration makes of the stored one. Pure. */
import { invalid, type Violation } from '../../shared/errors.js';
import type { EndpointConfig, ReaderConfig, ReaderGatewayConfig } from '../api/config.js';
import { ReaderConfig as ReaderConfigSchema } from '../api/config.js';
import type { Connection } from '../api/connection.js';
import type { GpioLed } from '../api/gpio-led.js';
import { type OrNull, withoutNulls } from '../api/nulls.js';
import { assertRequest } from '../api/validate.js';
import { changeEvents } from '../management/settings.js';
import { connectionProblems, sharedProblems } from './connection-rules.js';
import { otherDestination } from './destination.js';
import {
  changeAt,
  connectionsAt,
  ENDPOINT_PATHS,
  type EndpointPath,
  pathText,
  withConnections,
} from './endpoint-paths.js';
import { type Board, gpioLedProblems } from './gpio-led-rules.js';
import { restoreSecrets } from './secrets.js';
import { type Sized, sizeProblems } from './size-rules.js';
import { topicOverlaps } from './topic-overlaps.js';

const GATEWAY = 'READER-GATEWAY';

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
 * Merges by part: xml; each key of GPIO-LED; retention and batching as wholes; each entry of
 * managementEventConfig (changeEvents); each path of endpointConfig. Parts that are not in the
 * change stay, and null takes one back.
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
  const given = change as OrNull<ReaderConfig>;
  const problems: Violation[] = [];
  const next: ReaderConfig = { ...base };
  if (given.xml !== undefined) setOrRemove(next, 'xml', given.xml);
  const gpioLed = given['GPIO-LED'];
  if (gpioLed !== undefined) {
    if (board !== undefined && gpioLed !== null) {
      problems.push(...gpioLedProblems(withoutNulls<GpioLed>(gpioLed), board, 'GPIO-LED'));
    }
    const merged = gpioLed === null ? null : { ...base['GPIO-LED'], ...gpioLed };
    setOrRemove(next, 'GPIO-LED', merged);
  }
  const gateway = given[GATEWAY];
  if (gateway !== undefined) {
    next[GATEWAY] = changeGateway(
      base[GATEWAY] ?? {},
      stored[GATEWAY] ?? {},
      gateway ?? EVERY_GATEWAY_PART,
      factory,
      problems,
    );
  }
  if (problems.length > 0) throw invalid(problems);
  return next;
}

/** What `"READER-GATEWAY": null` stands for. */
const EVERY_GATEWAY_PART: OrNull<ReaderGatewayConfig> = {
  retention: null,
  batching: null,
  managementEventConfig: null,
  endpointConfig: null,
};

function setOrRemove<T extends object, K extends keyof T>(
  target: T,
  key: K,
  value: OrNull<T[K]> | null,
): void {
  if (value === null) delete target[key];
  else target[key] = withoutNulls<T[K]>(value);
}

function changeGateway(
  base: ReaderGatewayConfig,
  stored: ReaderGatewayConfig,
  given: OrNull<ReaderGatewayConfig>,
  factory: EndpointConfig,
  problems: Violation[],
): ReaderGatewayConfig {
  const next: ReaderGatewayConfig = { ...base };
  const { retention, batching, managementEventConfig: events } = given;
  if (retention !== undefined) setOrRemove(next, 'retention', retention);
  if (batching !== undefined) setOrRemove(next, 'batching', batching);
  problems.push(...sizeProblems(withoutNulls<Sized>({ retention, batching }), GATEWAY));
  if (events !== undefined) {
    const changed = events === null ? null : changeEvents(base.managementEventConfig, events);
    setOrRemove(next, 'managementEventConfig', changed);
  }
  const changedPaths: EndpointPath[] = [];
  for (const path of ENDPOINT_PATHS) {
    const connections = changeAt(given.endpointConfig, path);
    if (connections === undefined) continue;
    changedPaths.push(path);
    if (connections === null) {
      next.endpointConfig = withConnections(next.endpointConfig, path, undefined);
      continue;
    }
    const before = connectionsAt(stored.endpointConfig, path) ?? connectionsAt(factory, path) ?? [];
    const wanted = connections.map((connection) => withoutNulls<Connection>(connection));
    const restored = checkPath(path, wanted, before, problems);
    // What a client sends back as it got it stays the factory's own, and follows the factory.
    const same = JSON.stringify(restored) === JSON.stringify(connectionsAt(factory, path));
    next.endpointConfig = withConnections(next.endpointConfig, path, same ? undefined : restored);
  }
  const all = (path: EndpointPath) =>
    connectionsAt(next.endpointConfig, path) ?? connectionsAt(factory, path) ?? [];
  problems.push(...portProblems(all));
  problems.push(...topicOverlaps(all, changedPaths).map(({ problem }) => problem));
  return next;
}

/** Both kinds of events may have servers on this reader. */
export function portProblems(all: (path: EndpointPath) => readonly Connection[]): Violation[] {
  const [data, management] = [
    ['data', 'event'],
    ['management', 'event'],
  ] as const;
  return sharedProblems(all(data), pathText(data), all(management), pathText(management));
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
