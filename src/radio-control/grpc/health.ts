/**
 * grpc.health.v1.Health. Few ask, and the library takes as much memory as the service itself: it is
 * loaded for the first question.
 */
import { EventEmitter } from 'node:events';
import {
  type Server,
  type ServerUnaryCall,
  type ServerWritableStream,
  status,
} from '@grpc/grpc-js';
import { errorMessage } from '../../shared/errors.js';
import type { LibraryMethod } from './library-methods.js';

const SERVICE = '/grpc.health.v1.Health';

const asIs = (bytes: Buffer) => bytes;

const method = (name: string, responseStream: boolean) => ({
  path: `${SERVICE}/${name}`,
  requestStream: false,
  responseStream,
  requestSerialize: asIs,
  requestDeserialize: asIs,
  responseSerialize: asIs,
  responseDeserialize: asIs,
});

type Done = (error: object | null, answer?: Buffer) => void;

export function addHealth(server: Server, serviceName: string): void {
  let methods: Promise<Map<string, LibraryMethod>> | undefined;
  const methodOf = async (name: string): Promise<LibraryMethod> => {
    methods ??= import('./health-service.js').then(({ healthMethods }) =>
      healthMethods(serviceName),
    );
    const found = (await methods).get(`${SERVICE}/${name}`);
    if (found === undefined) throw new Error(`the health service has no ${name}`);
    return found;
  };
  const unary = (name: string) => async (call: ServerUnaryCall<Buffer, Buffer>, done: Done) => {
    try {
      const { decode, encode, handle } = await methodOf(name);
      handle(callOf(decode(call.request)), (error, answer) =>
        done(error, error === null ? encode(answer) : undefined),
      );
    } catch (error) {
      done(failure(error));
    }
  };
  const watch = async (call: ServerWritableStream<Buffer, Buffer>) => {
    try {
      const { decode, encode, handle } = await methodOf('Watch');
      const watched = callOf(decode(call.request), (message) => void call.write(encode(message)));
      call.on('cancelled', () => watched.emit('cancelled'));
      handle(watched);
    } catch (error) {
      call.emit('error', failure(error));
    }
  };
  server.addService(
    { check: method('Check', false), watch: method('Watch', true), list: method('List', false) },
    { check: unary('Check'), watch, list: unary('List') },
  );
}

function callOf(request: unknown, write: (message: unknown) => void = () => {}) {
  return Object.assign(new EventEmitter(), { request, write, end: () => {} });
}

function failure(error: unknown) {
  return { code: status.INTERNAL, details: errorMessage(error) };
}
