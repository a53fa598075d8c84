/** The four paths of READER-GATEWAY.endpointConfig that hold connections. */
import type { EndpointConfig } from '../api/config.js';
import type { Connection } from '../api/connection.js';
import type { OrNull } from '../api/nulls.js';

export const ENDPOINT_PATHS = [
  ['data', 'event'],
  ['control', 'commandResponse'],
  ['management', 'commandResponse'],
  ['management', 'event'],
] as const;
export type EndpointPath = (typeof ENDPOINT_PATHS)[number];

type Tree = Record<string, Record<string, { connections?: Connection[] }> | undefined>;
type ChangeTree = Record<
  string,
  Record<string, { connections?: Connection[] | null } | null> | null | undefined
>;

/** @returns undefined if the path was never configured. */
export function connectionsAt(
  config: EndpointConfig | undefined,
  [section, kind]: EndpointPath,
): Connection[] | undefined {
  return (config as Tree | undefined)?.[section]?.[kind]?.connections;
}

/**
 * What a change says of a path.
 * @returns undefined: nothing; null: it, or what it is a part of, is taken back.
 */
export function changeAt(
  change: OrNull<EndpointConfig> | null | undefined,
  [section, kind]: EndpointPath,
): Connection[] | null | undefined {
  const kinds = change === null ? null : (change as ChangeTree | undefined)?.[section];
  const place = kinds === null ? null : kinds?.[kind];
  return place === null ? null : place?.connections;
}

/** A copy of `config` with the connections of one path; undefined removes the path. */
export function withConnections(
  config: EndpointConfig | undefined,
  [section, kind]: EndpointPath,
  connections: Connection[] | undefined,
): EndpointConfig {
  const tree = { ...(config as Tree | undefined) };
  const kinds = { ...tree[section] };
  if (connections === undefined) delete kinds[kind];
  else kinds[kind] = { connections };
  tree[section] = kinds;
  return tree as EndpointConfig;
}

/** Name of a path in messages: `READER-GATEWAY.endpointConfig.data.event.connections`. */
export function pathText([section, kind]: EndpointPath): string {
  return `READER-GATEWAY.endpointConfig.${section}.${kind}.connections`;
}
