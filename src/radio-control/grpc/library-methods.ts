/** The methods of a library that only knows how to add itself to a server. */
import type { Server, ServiceDefinition } from '@grpc/grpc-js';

/** A call as the handlers of a library see it, as far as ours use it. */
export interface LibraryCall extends NodeJS.EventEmitter {
  request?: unknown;
  write(message: unknown): void;
  end(): void;
}

export interface LibraryMethod {
  decode(bytes: Buffer): unknown;
  encode(message: unknown): Buffer;
  /** @param done Of a call with one answer. */
  handle(call: LibraryCall, done?: (error: object | null, answer?: unknown) => void): void;
}

/** By their paths. */
export function libraryMethods(addTo: (server: Server) => void): Map<string, LibraryMethod> {
  const methods = new Map<string, LibraryMethod>();
  const taker = {
    addService(service: ServiceDefinition, handlers: Record<string, LibraryMethod['handle']>) {
      for (const [name, { path, requestDeserialize, responseSerialize }] of Object.entries(
        service,
      )) {
        const handle = handlers[name] ?? handlers[lowerFirst(name)];
        if (handle === undefined) throw new Error(`the library does not handle ${path}`);
        methods.set(path, { decode: requestDeserialize, encode: responseSerialize, handle });
      }
    },
  };
  addTo(taker as unknown as Server);
  return methods;
}

const lowerFirst = (name: string) => name.charAt(0).toLowerCase() + name.slice(1);
