/** The reader that runs with a state folder, for commands beside it. */
import { status as grpcStatus, type ServiceError } from '@grpc/grpc-js';
import { RadioClient } from '../../contract/client.js';
import { isSingulateError, SingulateError } from '../../shared/errors.js';
import type { GivenOptions } from '../command-line.js';
import { resolveSettings } from '../settings.js';
import { radioSocket } from '../state-dir.js';

export interface RunningReader {
  stateDir: string;
  radio: RadioClient;
}

/** Does not connect yet. @throws CONFIG for a wrong setting */
export async function runningReader(options: GivenOptions): Promise<RunningReader> {
  const isTerminal = process.stdout.isTTY === true;
  const { stateDir } = await resolveSettings(options, { env: process.env, isTerminal });
  return { stateDir, radio: new RadioClient(`unix:${radioSocket(stateDir)}`) };
}

export function noReader(stateDir: string): string {
  return `no reader runs with the state folder ${stateDir} (--state-dir names another)`;
}

/** What a call that failed means to the user. */
export function callError(error: unknown, stateDir: string): Error {
  if (isSingulateError(error)) return error;
  const { code, details = '' } = error as Partial<ServiceError>;
  switch (code) {
    case grpcStatus.UNAVAILABLE:
      // Details of our own have no address in them.
      return new SingulateError(
        'UNAVAILABLE',
        /connection|connect /i.test(details) ? noReader(stateDir) : details,
      );
    case grpcStatus.DEADLINE_EXCEEDED:
      return new SingulateError('UNAVAILABLE', `the reader of ${stateDir} does not answer`);
    case undefined:
      return error as Error;
    default:
      return new SingulateError('INTERNAL', details);
  }
}
