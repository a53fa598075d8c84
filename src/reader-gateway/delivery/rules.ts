/** Batching and retention of one connection: its own settings, the reader's, the defaults. */
import type { Batching, Connection, Retention } from '../api/connection.js';
import { largestMessage, parseSize } from '../api/sizes.js';
import { RETENTION_DEFAULTS } from '../state/config-store.js';

export interface BatchingRule {
  /** Longest time an event waits for others. */
  intervalMs: number;
  /** Size at which a message is full. */
  maxBytes: number;
}

export interface RetentionRule {
  /** Events kept while the endpoint is away; 0 = none. */
  maxEvents: number;
  /** Oldest event kept while the endpoint is away; Infinity = no limit. */
  maxAgeMs: number;
  /** Events per second of the backlog after an outage; Infinity = no limit. */
  throttle: number;
}

export const BATCHING_DEFAULTS = { reportingInterval: 2000, maxPayloadSizePerReport: 256_000 };

const DEFAULT_SPILL = '64MB';

/** @returns undefined if each event is a message of its own. */
export function batchingRule(
  type: Connection['type'],
  reader: Batching | undefined,
  own: Batching | undefined,
): BatchingRule | undefined {
  const given = own ?? reader;
  // The interface: on for HTTP POST, off for MQTT.
  if (given === undefined && type !== 'httpPost') return undefined;
  const interval = given?.reportingInterval ?? BATCHING_DEFAULTS.reportingInterval;
  const size = parseSize(
    given?.maxPayloadSizePerReport ?? BATCHING_DEFAULTS.maxPayloadSizePerReport,
  );
  if (interval <= 0 && size <= 0) return undefined;
  return {
    intervalMs: Math.max(0, interval),
    maxBytes: size <= 0 ? largestMessage(type) : Math.min(size, largestMessage(type)),
  };
}

export function retentionRule(
  reader: Retention | undefined,
  own: Retention | undefined,
): RetentionRule {
  const given = { ...RETENTION_DEFAULTS, ...reader, ...own };
  const minutes = given.maxEventRetentionTimeInMin;
  return {
    maxEvents: given.maxNumEvents,
    maxAgeMs: minutes <= 0 ? Number.POSITIVE_INFINITY : minutes * 60_000,
    throttle: given.throttle <= 0 ? Number.POSITIVE_INFINITY : given.throttle,
  };
}

/** @returns Most bytes on disk; undefined = nothing goes there. */
export function spillRule(
  reader: Retention | undefined,
  own: Retention | undefined,
): number | undefined {
  const given = { ...RETENTION_DEFAULTS, ...reader, ...own };
  if (given.spillToDisk !== true || given.maxNumEvents === 0) return undefined;
  return parseSize(given.maxSpillSize ?? DEFAULT_SPILL);
}
