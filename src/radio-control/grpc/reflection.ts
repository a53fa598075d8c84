/** Server reflection: tools such as grpcurl learn the contract from the running service. */
import { join } from 'node:path';
import type { Server } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { ReflectionService } from '@grpc/reflection';
import { PACKAGE_ROOT } from '../../shared/package-info.js';

export function addReflection(server: Server): void {
  const definition = loadSync('singulate/radio/v1/radio.proto', {
    includeDirs: [join(PACKAGE_ROOT, 'proto')],
  });
  new ReflectionService(definition).addToServer(server);
}
