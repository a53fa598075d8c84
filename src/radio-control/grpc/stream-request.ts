/** StreamReadsRequest -> how the hub serves the stream. */
import {
  ReadField,
  StartPosition,
  type StreamReadsRequest,
  WhenSlow,
} from '../../contract/messages.js';
import { counterToNumber } from '../../contract/time.js';
import { invalid, type Violation } from '../../shared/errors.js';
import { DEFAULT_LATENCY_MS } from '../inventory.js';
import { compileIdFilter } from '../plan/id-filter-settings.js';
import type { StreamStart, SubscribeOptions } from '../reports/read-hub.js';
import type { ReadFilterSettings, ViewSettings } from '../reports/read-view.js';

const MAX_LATENCY_MS = 1000;
/** Past this, larger messages gain nothing. */
const MAX_READS = 1024;
const MAX_BLOCK_MS = 60_000;
const DEFAULT_BLOCK_MS = 10_000;
const MAX_FIELDS = 32;
const MAX_NAME = 64;
const MIN_RSSI_CDBM = -12_000;
const MAX_PORTS = 255;

/**
 * @param paced The radio does not wait for its clients.
 * @throws INVALID
 */
export function subscribeOptions(request: StreamReadsRequest, paced: boolean): SubscribeOptions {
  const violations: Violation[] = [];
  const check = (fits: boolean, field: string, given: unknown, allowed: string) => {
    if (!fits) violations.push({ field, message: `${given} given; allowed: ${allowed}` });
  };
  const { maxLatencyMs, maxReads, maxBlockMs, whenSlow, clientName } = request;
  check(maxLatencyMs <= MAX_LATENCY_MS, 'max_latency_ms', maxLatencyMs, `0..${MAX_LATENCY_MS}`);
  check(maxReads <= MAX_READS, 'max_reads', maxReads, `0..${MAX_READS}`);
  check(maxBlockMs <= MAX_BLOCK_MS, 'max_block_ms', maxBlockMs, `0..${MAX_BLOCK_MS}`);
  check(
    whenSlow in WhenSlow,
    'when_slow',
    whenSlow,
    '0 (by the radio), 1 (DROP_OLDEST), 2 (BLOCK)',
  );
  check(
    clientName.length <= MAX_NAME,
    'client_name',
    `${clientName.length} characters`,
    `at most ${MAX_NAME} characters`,
  );
  const start = startOf(request, violations);
  const view = viewOf(request, violations);
  if (violations.length > 0) throw invalid(violations);
  const blocks =
    whenSlow === WhenSlow.WHEN_SLOW_BLOCK ||
    (whenSlow === WhenSlow.WHEN_SLOW_UNSPECIFIED && !paced);
  return {
    latencyMs: maxLatencyMs || DEFAULT_LATENCY_MS,
    maxReads: maxReads || MAX_READS,
    blocks,
    maxBlockMs: paced ? maxBlockMs || DEFAULT_BLOCK_MS : 0,
    clientName,
    // Clients from before there were start positions expect reads in every message.
    announced: request.start !== null && request.start !== undefined,
    start,
    view,
  };
}

function startOf({ start }: StreamReadsRequest, violations: Violation[]): StreamStart {
  const { From } = StartPosition;
  switch (start?.from ?? From.NOW) {
    case From.NOW:
      return { from: 'now' };
    case From.OLDEST:
      return { from: 'oldest' };
    case From.AFTER: {
      const logId = start?.logId ?? '';
      if (logId === '') {
        const message = 'none given; needed with AFTER: ReadBatch.log_id as it was received';
        violations.push({ field: 'start.log_id', message });
      }
      return { from: 'after', logId, sequence: counterToNumber(start?.afterSequence) };
    }
    default: {
      const message = `${start?.from} given; allowed: 0 (NOW), 1 (OLDEST), 2 (AFTER)`;
      violations.push({ field: 'start.from', message });
      return { from: 'now' };
    }
  }
}

function viewOf(
  { filter, fields }: StreamReadsRequest,
  violations: Violation[],
): ViewSettings | undefined {
  if (fields.length > MAX_FIELDS) {
    const message = `${fields.length} given; allowed: at most ${MAX_FIELDS}`;
    violations.push({ field: 'fields', message });
  }
  for (const [index, field] of fields.slice(0, MAX_FIELDS).entries()) {
    if (field === ReadField.READ_FIELD_UNSPECIFIED || !(field in ReadField)) {
      const message = `${field} given; allowed: 1..14, the numbers of TagRead`;
      violations.push({ field: `fields[${index}]`, message });
    }
  }
  const settings = filterOf(filter, violations);
  if (settings === undefined && fields.length === 0) return undefined;
  return { filter: settings, fields: [...new Set(fields)].sort((a, b) => a - b) };
}

function filterOf(
  filter: StreamReadsRequest['filter'],
  violations: Violation[],
): ReadFilterSettings | undefined {
  if (filter === null || filter === undefined) return undefined;
  const antennas = filter.antennas ?? [];
  if (antennas.length > MAX_PORTS) {
    const message = `${antennas.length} given; allowed: at most ${MAX_PORTS}`;
    violations.push({ field: 'filter.antennas', message });
  }
  for (const [index, port] of antennas.slice(0, MAX_PORTS).entries()) {
    if (port < 1 || port > MAX_PORTS) {
      const message = `${port} given; allowed: 1..${MAX_PORTS}`;
      violations.push({ field: `filter.antennas[${index}]`, message });
    }
  }
  const minRssiCdbm = filter.minRssiCdbm ?? undefined;
  if (minRssiCdbm !== undefined && (minRssiCdbm < MIN_RSSI_CDBM || minRssiCdbm > 0)) {
    const message = `${minRssiCdbm} given; allowed: ${MIN_RSSI_CDBM}..0`;
    violations.push({ field: 'filter.min_rssi_cdbm', message });
  }
  const ofId: Violation[] = [];
  const id = compileIdFilter(filter.id, ofId);
  for (const { field, message } of ofId) {
    violations.push({ field: field.replace(/^id_filter/, 'filter.id'), message });
  }
  if (antennas.length === 0 && minRssiCdbm === undefined && id === undefined) return undefined;
  return { antennas, minRssiCdbm, id };
}
