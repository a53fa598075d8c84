/** Runs an operation for a client of whatever door. */
import { debugLine, elapsedMs } from '../../shared/debug-line.js';
import { errorMessage, invalid, isSingulateError } from '../../shared/errors.js';
import { faultOfRequest } from '../api/plain-value.js';
import { assertRequest } from '../api/validate.js';
import { Accepted } from './accepted.js';
import type { Operation, OperationContext } from './operation.js';

export interface OperationAnswer {
  /** Of HTTP. */
  status: 200 | 202;
  /** undefined: no content. */
  body: unknown;
  /** To be called once the client has its answer; undefined: nothing waits for that. */
  afterAnswer: (() => void) | undefined;
}

/**
 * At DEBUG each one is told with what came of it; never what was asked for, which may be secret.
 * @param client Where the request comes from. @throws SingulateError
 */
export async function runOperation(
  operation: Operation,
  context: OperationContext,
  request: unknown,
  client: string,
): Promise<OperationAnswer> {
  const sinceMs = performance.now();
  const { mqttCommand, method, path } = operation;
  const tell = (outcome: object) =>
    debugLine(context.log, 'operation', () => ({
      ...{ operation: mqttCommand, method, path, client, ms: elapsedMs(sinceMs) },
      ...outcome,
    }));
  try {
    const answer = await run(operation, context, request, client);
    tell({ status: answer.status });
    return answer;
  } catch (error) {
    tell(told(error));
    throw error;
  }
}

async function run(
  operation: Operation,
  context: OperationContext,
  request: unknown,
  client: string,
): Promise<OperationAnswer> {
  const fault = faultOfRequest(request);
  if (fault !== undefined) throw invalid([fault]);
  if (!operation.checksItself) assertRequest(operation.requestSchema, request);
  const work: (() => void)[] = [];
  // Who changes something sees it at once.
  const changed = () => operation.method !== 'GET' && context.status.forget();
  let answer: unknown;
  try {
    answer = await operation.run(context, request, (later) => void work.push(later), client);
  } finally {
    changed();
  }
  const all = () => {
    for (const later of work) later();
    changed();
  };
  const afterAnswer = work.length === 0 ? undefined : all;
  return answer instanceof Accepted
    ? { status: 202, body: answer.body, afterAnswer }
    : { status: 200, body: answer, afterAnswer };
}

/** Of a wrong request only the fields: messages show what was given, which may be a secret in a wrong place. */
function told(error: unknown): object {
  if (!isSingulateError(error)) return { code: 'INTERNAL', reason: errorMessage(error) };
  const { code, message, violations } = error;
  if (code !== 'INVALID') return { code, reason: message };
  return { code, fields: violations.map(({ field }) => field) };
}
