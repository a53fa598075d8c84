/** What holds for the answer to any body at all. */
import type { ErrorAnswer } from '../../src/reader-gateway/api/errors.js';
import type { Operation } from '../../src/reader-gateway/operations/operation.js';
import { pathFields } from '../conformance/doors.js';

/** Operations that ask servers which a right request names: those are away (500, code 4). */
const ASK_SERVERS = ['installUserApp', 'installCertificate'];
const UNAVAILABLE = 4;
const INVALID = 1;
/** Other spellings of fields, and what a wrong body is called as a whole. */
const ALSO_NAMED = [
  'filter',
  'selects',
  'accesses',
  'modeSpecificSettings',
  'the body',
  'the command',
  'payload',
];
const LONGEST_MESSAGE = 20_000;

/** @returns What is wrong with an error answer; undefined: nothing. */
export function faultOfAnswer(
  operation: Operation,
  request: unknown,
  { status, body: { code, message } }: ErrorAnswer,
): string | undefined {
  if (status >= 500) {
    const mayBe = code === UNAVAILABLE && ASK_SERVERS.includes(operation.name);
    return mayBe ? undefined : `${status} ${message}`;
  }
  if (message.length > LONGEST_MESSAGE) return `a message of ${message.length} characters`;
  // All others say that a right request is not possible now, and what is in its way.
  if (code !== INVALID) return undefined;
  return namesField(operation, request, message) ? undefined : `no field in: ${message}`;
}

function namesField(operation: Operation, request: unknown, message: string): boolean {
  if (message.startsWith('the body is not JSON: ')) return true;
  const path = /^(.*?): /s.exec(message)?.[1];
  if (path === undefined) return false;
  const root = /^(\[".*|[^.[]+)/s.exec(path)?.[1] ?? '';
  const given = typeof request === 'object' && request !== null ? Object.keys(request) : [];
  const known = [
    ...given,
    ...Object.keys(operation.requestSchema.properties ?? {}),
    ...pathFields(operation),
    ...ALSO_NAMED,
  ];
  // Quoted names are those that are no plain words.
  return root.startsWith('["') || /^\[\d/.test(path) || known.includes(root);
}
