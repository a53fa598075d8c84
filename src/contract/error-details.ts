/**
 * What programs may act on in an error of gRPC: google.rpc.Status with its standard details, in the
 * trailing metadata grpc-status-details-bin.
 */
import { Metadata, type status } from '@grpc/grpc-js';
import { type ErrorInfo, MOST_LISTED, type Violation } from '../shared/errors.js';
import { google } from './generated/google_rpc.js';
import { counterToNumber } from './time.js';

const KEY = 'grpc-status-details-bin';
const DOMAIN = 'singulate';
const TYPE_URL = 'type.googleapis.com/';

/**
 * Clients take 8 KiB of trailing metadata, some of them no more: the line for people as it is on
 * the wire, the details in base64, and the little that goes with them.
 */
const MAX_MESSAGE_BYTES = 2048;
const MAX_STATUS_BYTES = 4096;
/** One violation leaves room for others, and so does one value of the metadata. */
const MAX_TEXT = 300;
/** Type, lengths, and the line that says how many are left out. */
const RESERVED_BYTES = 120;

/** What is told beside code and message. */
export interface DetailsToReport {
  violations?: readonly Violation[] | undefined;
  info?: ErrorInfo | undefined;
  /** Seconds. */
  retryAfter?: number | undefined;
}

/** As grpc-js takes it: `callback(error)`, `call.emit('error', error)`, `call.sendStatus(error)`. */
export interface DetailedStatus {
  code: status;
  details: string;
  metadata: Metadata;
}

/** An error with all that fits. Libraries want code and message to be the same in both places. */
export function detailedStatus(
  code: status,
  message: string,
  { violations = [], info, retryAfter }: DetailsToReport = {},
): DetailedStatus {
  const text = shortMessage(message);
  const metadata = new Metadata();
  const details = [];
  if (info !== undefined) details.push(infoDetail(info));
  if (retryAfter !== undefined) details.push(retryDetail(retryAfter));
  if (violations.length > 0) {
    const { length } = encodeStatus(code, text, details);
    details.push(violationsDetail(violations, MAX_STATUS_BYTES - length - RESERVED_BYTES));
  }
  if (details.length > 0) metadata.set(KEY, encodeStatus(code, text, details));
  return { code, details: text, metadata };
}

/** What an error says to programs. */
export interface ErrorDetails {
  /** Wrong fields of the request. */
  violations: Violation[];
  /** As CONTROL_HELD; '' = none. */
  reason: string;
  metadata: Record<string, string>;
  /** Another try makes sense after so many seconds. */
  retryAfter?: number;
}

/** Of any error of a client's call; one without details, or with such that nobody can read, has none. */
export function errorDetails(error: unknown): ErrorDetails {
  const found: ErrorDetails = { violations: [], reason: '', metadata: {} };
  try {
    const { metadata } = error as { metadata?: unknown };
    const bytes = metadata instanceof Metadata ? metadata.get(KEY)[0] : undefined;
    if (!Buffer.isBuffer(bytes)) return found;
    const all: ErrorDetails = { violations: [], reason: '', metadata: {} };
    for (const { type_url, value } of google.rpc.Status.decode(bytes).details) {
      if (type_url && value) take(all, type_url.slice(type_url.lastIndexOf('/') + 1), value);
    }
    return all;
  } catch {
    return found;
  }
}

function take(all: ErrorDetails, type: string, value: Uint8Array): void {
  if (type === 'google.rpc.BadRequest') {
    const { fieldViolations } = google.rpc.BadRequest.decode(value);
    all.violations = fieldViolations.map(({ field, description }) => ({
      field: field ?? '',
      message: description ?? '',
    }));
  } else if (type === 'google.rpc.ErrorInfo') {
    const { reason, domain, metadata } = google.rpc.ErrorInfo.decode(value);
    if (domain !== DOMAIN) return;
    all.reason = reason;
    all.metadata = metadata;
  } else if (type === 'google.rpc.RetryInfo') {
    const { retryDelay } = google.rpc.RetryInfo.decode(value);
    all.retryAfter = counterToNumber(retryDelay?.seconds) + (retryDelay?.nanos ?? 0) / 1e9;
  }
}

function any(type: string, message: { finish(): Uint8Array }): google.protobuf.Any.$Properties {
  return { type_url: `${TYPE_URL}${type}`, value: message.finish() };
}

function infoDetail({ reason, metadata }: ErrorInfo): google.protobuf.Any.$Properties {
  const short = Object.fromEntries(
    Object.entries(metadata).map(([key, value]) => [key, shortText(value)]),
  );
  const message = { reason, domain: DOMAIN, metadata: short };
  return any('google.rpc.ErrorInfo', google.rpc.ErrorInfo.encode(message));
}

function retryDetail(seconds: number): google.protobuf.Any.$Properties {
  const whole = Math.floor(seconds);
  const delay = { seconds: whole, nanos: Math.round((seconds - whole) * 1e9) };
  return any('google.rpc.RetryInfo', google.rpc.RetryInfo.encode({ retryDelay: delay }));
}

/** As many as fit; the last one then says how many more there are. */
function violationsDetail(
  violations: readonly Violation[],
  most: number,
): google.protobuf.Any.$Properties {
  const listed: { field: string; description: string }[] = [];
  let bytes = 0;
  for (const { field, message } of violations.slice(0, MOST_LISTED)) {
    const one = { field: shortText(field), description: shortText(message) };
    bytes += google.rpc.BadRequest.encode({ fieldViolations: [one] }).finish().length;
    if (bytes > most) break;
    listed.push(one);
  }
  const left = violations.length - listed.length;
  if (left > 0) listed.push({ field: '', description: `and ${left} more` });
  const message = google.rpc.BadRequest.encode({ fieldViolations: listed });
  return any('google.rpc.BadRequest', message);
}

function encodeStatus(
  code: status,
  message: string,
  details: google.protobuf.Any.$Properties[],
): Buffer {
  const bytes = google.rpc.Status.encode({ code, message, details }).finish();
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function shortText(text: string): string {
  const whole = wellFormed(text);
  return whole.length <= MAX_TEXT ? whole : `${wellFormed(whole.slice(0, MAX_TEXT))}...`;
}

/** On the wire the message is percent-encoded, at the worst nine bytes for one letter. */
function shortMessage(message: string): string {
  const whole = wellFormed(message);
  if (encodeURI(whole).length <= MAX_MESSAGE_BYTES) return whole;
  const end = '...';
  let room = MAX_MESSAGE_BYTES - end.length;
  let short = '';
  for (const letter of whole) {
    room -= encodeURI(letter).length;
    if (room < 0) break;
    short += letter;
  }
  return `${short}${end}`;
}

/** Half of a pair of surrogates is nothing that could be sent. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}
