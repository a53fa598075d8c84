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
  /** To be called once the client has its answer. */
  afterAnswer(): void;
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
  const answer = await operation.run(context, request, (later) => void work.push(later), client);
  return {
    ...(answer instanceof Accepted
      ? { status: 202, body: answer.body }
      : { status: 200, body: answer }),
    afterAnswer: () => {
      for (const later of work) later();
    },
  };
}
