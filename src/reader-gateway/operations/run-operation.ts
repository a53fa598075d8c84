/** Runs an operation for a client of whatever door. */
import { assertValid } from '../api/validate.js';
import type { Operation, OperationContext } from './operation.js';

export interface OperationAnswer {
  /** undefined: no content. */
  body: unknown;
  /** To be called once the client has its answer. */
  afterAnswer(): void;
}

/** @throws SingulateError */
export async function runOperation(
  operation: Operation,
  context: OperationContext,
  request: unknown,
): Promise<OperationAnswer> {
  if (!operation.checksItself) assertValid(operation.requestSchema, request);
  const work: (() => void)[] = [];
  const body = await operation.run(context, request, (later) => void work.push(later));
  return {
    body,
    afterAnswer: () => {
      for (const later of work) later();
    },
  };
}
