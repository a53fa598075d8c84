/** Runs an operation for a client of whatever door. */
import { invalid } from '../../shared/errors.js';
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

/** @param client Where the request comes from. @throws SingulateError */
export async function runOperation(
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
