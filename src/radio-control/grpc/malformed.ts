/** Requests that are no messages: the library calls them an error of the service, and they are one of the client. */
import { type ServiceDefinition, status } from '@grpc/grpc-js';
import { type DetailedStatus, detailedStatus } from '../../contract/error-details.js';

/** In the place of a request; the gate answers it. */
export class Malformed {
  readonly status: DetailedStatus;

  constructor(path: string, reason: string) {
    const method = path.slice(path.lastIndexOf('/') + 1);
    const details = `the request of ${method} is not a message of its type: ${reason}`;
    this.status = detailedStatus(status.INVALID_ARGUMENT, details);
  }
}

/** The methods of the service; a request that cannot be decoded is handed on as a Malformed. */
export function withMalformed(service: ServiceDefinition): ServiceDefinition {
  const methods = Object.entries(service).map(([name, method]) => {
    const requestDeserialize = (bytes: Buffer) => {
      try {
        return method.requestDeserialize(bytes);
      } catch (error) {
        return new Malformed(method.path, (error as Error).message);
      }
    };
    return [name, { ...method, requestDeserialize }];
  });
  return Object.fromEntries(methods);
}
