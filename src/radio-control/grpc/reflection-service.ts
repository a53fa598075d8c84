/** What answers the questions of server reflection, loaded when the first one comes. */
import { join } from 'node:path';
import { loadSync } from '@grpc/proto-loader';
import { ReflectionService } from '@grpc/reflection';
import { PACKAGE_ROOT } from '../../shared/package-info.js';
import { type LibraryMethod, libraryMethods } from './library-methods.js';

/** By their paths. */
export function reflectionMethods(): Map<string, LibraryMethod> {
  const definition = loadSync('singulate/radio/v1/radio.proto', {
    includeDirs: [join(PACKAGE_ROOT, 'proto')],
  });
  return libraryMethods((server) => new ReflectionService(definition).addToServer(server));
}
