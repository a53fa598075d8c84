/** What answers the questions of server reflection, loaded when the first one comes. */
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { load } from '@grpc/proto-loader';
import { ReflectionService } from '@grpc/reflection';
import { PACKAGE_ROOT } from '../../shared/package-info.js';
import { type LibraryMethod, libraryMethods } from './library-methods.js';

/** By their paths. Each of its steps takes long, so the event loop turns between them. */
export async function reflectionMethods(): Promise<Map<string, LibraryMethod>> {
  await turn();
  const definition = await load('singulate/radio/v1/radio.proto', {
    includeDirs: [join(PACKAGE_ROOT, 'proto')],
  });
  await turn();
  return libraryMethods((server) => new ReflectionService(definition).addToServer(server));
}
