/**
 * The reader configuration as config.json has it. It may be older than a rule: what has become too
 * large is taken as large as it may be, and a connection that breaks a rule runs as well as it can,
 * and its status says why that is not well. Only what cannot be understood is refused. Pure.
 */
import { invalid, type Violation } from '../../shared/errors.js';
import { ReaderConfig } from '../api/config.js';
import type { Batching, Connection, Retention } from '../api/connection.js';
import { withoutNulls } from '../api/nulls.js';
import { LARGEST_MESSAGE_BYTES, LARGEST_SPILL_BYTES, parseSize } from '../api/sizes.js';
import { type BeyondLimit, findBeyondLimits } from '../api/validate.js';
import { portProblems } from './config-change.js';
import { addressProblems, connectionProblems, ownProblems } from './connection-rules.js';
import { connectionsAt, ENDPOINT_PATHS, type EndpointPath, pathText } from './endpoint-paths.js';
import { topicOverlaps } from './topic-overlaps.js';

/**
 * @param onChange Gets what is taken otherwise than it is stored.
 * @throws INVALID naming every wrong field.
 */
export function checkStored(
  stored: unknown,
  onChange: (change: Violation) => void = () => {},
): ReaderConfig {
  const given = withoutNulls<unknown>(stored);
  const { beyond, others } = findBeyondLimits(ReaderConfig, given);
  if (others.length > 0) throw invalid(others);
  const config = structuredClone(given) as ReaderConfig;
  for (const one of beyond) {
    // Of an empty list nothing can be made; its connection says so.
    if (one.keyword !== 'maximum') continue;
    setAt(config, one);
    onChange({ field: one.field, message: `${one.message}: that is taken instead` });
  }
  limitSizes(config, onChange);
  const at = pathsOf(config);
  const problems = ENDPOINT_PATHS.flatMap((path) =>
    connectionProblems(at(path), pathText(path), addressProblems),
  );
  problems.push(...portProblems(at));
  if (problems.length > 0) throw invalid(problems);
  return config;
}

/**
 * What is wrong with connections that a change would refuse today.
 * @param all The connections of a path, those of the factory included.
 * @returns For each of these connections what its status says.
 */
export function connectionFaults(
  all: (path: EndpointPath) => readonly Connection[],
): ReadonlyMap<Connection, string> {
  const faults = new Map<Connection, string>();
  const add = (connection: Connection, { field, message }: Violation) => {
    const before = faults.get(connection);
    const text = `${field}: ${message}`;
    faults.set(connection, before === undefined ? text : `${before}; ${text}`);
  };
  for (const path of ENDPOINT_PATHS) {
    all(path).forEach((connection, index) => {
      for (const problem of ownProblems(connection, `${pathText(path)}[${index}]`)) {
        add(connection, problem);
      }
    });
  }
  for (const { publisher, problem } of topicOverlaps(all)) add(publisher, problem);
  return faults;
}

function pathsOf(config: ReaderConfig): (path: EndpointPath) => Connection[] {
  return (path) => connectionsAt(config['READER-GATEWAY']?.endpointConfig, path) ?? [];
}

function setAt(config: ReaderConfig, { path, limit }: BeyondLimit): void {
  let at = config as Record<string, unknown>;
  for (const name of path.slice(0, -1)) at = at[name] as Record<string, unknown>;
  at[path.at(-1) as string] = limit;
}

/** Sizes that are texts, which a schema cannot limit. */
function limitSizes(config: ReaderConfig, onChange: (change: Violation) => void): void {
  const gateway = config['READER-GATEWAY'];
  const limit = (
    field: string,
    { batching, retention }: { batching?: Batching; retention?: Retention },
  ) => {
    const told = (name: string, size: unknown, largest: number) =>
      onChange({
        field: `${field}.${name}`,
        message: `${JSON.stringify(size)} is above the maximum of ${largest}: that is taken instead`,
      });
    const size = batching?.maxPayloadSizePerReport;
    if (batching !== undefined && size !== undefined && parseSize(size) > LARGEST_MESSAGE_BYTES) {
      told('batching.maxPayloadSizePerReport', size, LARGEST_MESSAGE_BYTES);
      batching.maxPayloadSizePerReport = LARGEST_MESSAGE_BYTES;
    }
    const spill = retention?.maxSpillSize;
    if (retention !== undefined && spill !== undefined && parseSize(spill) > LARGEST_SPILL_BYTES) {
      told('retention.maxSpillSize', spill, LARGEST_SPILL_BYTES);
      retention.maxSpillSize = LARGEST_SPILL_BYTES;
    }
  };
  limit('READER-GATEWAY', gateway ?? {});
  const at = pathsOf(config);
  for (const path of ENDPOINT_PATHS) {
    at(path).forEach(({ additionalOptions = {} }, index) => {
      limit(`${pathText(path)}[${index}].additionalOptions`, additionalOptions);
    });
  }
}
