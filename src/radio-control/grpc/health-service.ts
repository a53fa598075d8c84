/** What answers questions of health, loaded when the first one comes. */
import { HealthImplementation } from 'grpc-health-check';
import { type LibraryMethod, libraryMethods } from './library-methods.js';

/** By their paths. The service and the server as a whole are serving while they run. */
export function healthMethods(serviceName: string): Map<string, LibraryMethod> {
  const health = new HealthImplementation({ '': 'SERVING', [serviceName]: 'SERVING' });
  return libraryMethods((server) => health.addToServer(server));
}
