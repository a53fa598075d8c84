/** grpc.health.v1.Health: the service and the server as a whole are serving while they run. */
import type { Server } from '@grpc/grpc-js';
import { HealthImplementation } from 'grpc-health-check';

export function addHealth(server: Server, serviceName: string): void {
  new HealthImplementation({ '': 'SERVING', [serviceName]: 'SERVING' }).addToServer(server);
}
