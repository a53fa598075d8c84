import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { PACKAGE_ROOT } from '../../src/shared/package-info.js';
import { expectOfClient, make, temporaryFolder } from './oem-client.js';

const MODULE = 'example.com/oem-client';

/** As docs/examples/go/README.md says: with Debian's packages of Go, and no network. */
t.test('the client in Go', async (t) => {
  const work = temporaryFolder(t);
  const source = join(work, 'src', MODULE);
  cpSync(join(PACKAGE_ROOT, 'docs/examples/go'), source, { recursive: true });
  const names = `Msingulate/radio/v1/radio.proto=${MODULE}/radiov1`;
  make('protoc', [
    ...['-I', join(PACKAGE_ROOT, 'proto')],
    ...[`--go_out=${source}`, `--go_opt=module=${MODULE}`, `--go_opt=${names}`],
    ...[`--go-grpc_out=${source}`, `--go-grpc_opt=module=${MODULE}`, `--go-grpc_opt=${names}`],
    'singulate/radio/v1/radio.proto',
  ]);
  const cache = join(PACKAGE_ROOT, 'out/oem-go');
  mkdirSync(cache, { recursive: true });
  const env = {
    ...process.env,
    GO111MODULE: 'off',
    GOFLAGS: '',
    GOPATH: `${work}:/usr/share/gocode`,
    GOCACHE: cache,
  };
  const program = join(work, 'oem-client');
  make('go', ['build', '-o', program, MODULE], { env });
  await expectOfClient(t, { command: program, args: [] });
});
