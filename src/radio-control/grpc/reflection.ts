/**
 * Server reflection: tools such as grpcurl learn the contract from the running service. Few ask, and
 * what answers is larger than the service itself, so it is loaded for the first question.
 */
import { EventEmitter } from 'node:events';
import { type Server, type ServerDuplexStream, status } from '@grpc/grpc-js';
import { errorMessage } from '../../shared/errors.js';
import type { LibraryMethod } from './library-methods.js';

const PATHS = ['v1', 'v1alpha'].map(
  (version) => `/grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`,
);

type BytesCall = ServerDuplexStream<Buffer, Buffer>;

const asIs = (bytes: Buffer) => bytes;

export function addReflection(server: Server): void {
  for (const path of PATHS) {
    const method = {
      path,
      requestStream: true,
      responseStream: true,
      requestSerialize: asIs,
      requestDeserialize: asIs,
      responseSerialize: asIs,
      responseDeserialize: asIs,
    } as const;
    const answer = (call: BytesCall) =>
      methodOf(path)
        .then((loaded) => serve(call, loaded))
        .catch((error) => fail(call, status.INTERNAL, error));
    server.addService({ serverReflectionInfo: method }, { serverReflectionInfo: answer });
  }
}

let methods: Promise<Map<string, LibraryMethod>> | undefined;

async function methodOf(path: string): Promise<LibraryMethod> {
  methods ??= import('./reflection-service.js').then(({ reflectionMethods }) =>
    reflectionMethods(),
  );
  const method = (await methods).get(path);
  if (method === undefined) throw new Error(`reflection has no ${path}`);
  return method;
}

function serve(call: BytesCall, { decode, encode, handle }: LibraryMethod): void {
  const messages = new EventEmitter();
  handle(
    Object.assign(messages, {
      write: (message: unknown) => void call.write(encode(message)),
      end: () => void call.end(),
    }),
  );
  call.on('data', (bytes: Buffer) => {
    try {
      messages.emit('data', decode(bytes));
    } catch (error) {
      fail(call, status.INVALID_ARGUMENT, error);
    }
  });
  call.on('end', () => messages.emit('end'));
  // A client that is gone has nothing more to ask.
  call.on('error', () => messages.removeAllListeners());
}

function fail(call: BytesCall, code: status, error: unknown): void {
  call.emit('error', { code, details: errorMessage(error) });
}
