/**
 * The front door of `npm start`, `npm test`, `npm run bench` and `npm run build`. Needs nothing
 * but Node.js: it installs and builds what is missing or stale, then does what was asked.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, buildNativeTests, ROOT } from './build.mjs';
import { needSchemathesis } from './schemathesis.mjs';
import { SetupError } from './steps.mjs';
import { need, wish } from './system.mjs';

const [task, ...args] = process.argv.slice(2);

/** Runs a compiled program in this process, as if node had been called with it. */
async function runCompiled(path, programArgs) {
  const file = join(ROOT, 'dist', path);
  process.argv = [process.argv[0], file, ...programArgs];
  await import(pathToFileURL(file).href);
}

/** What these test files need, and nothing more: after an edit somebody waits for it. */
async function buildFor(files) {
  const { needsBundle } = await import('./tests/needs-bundle.mjs');
  await build({ tools: true, bundle: () => needsBundle(ROOT, files) });
}

/** @returns Whether they are native tests; all are of one kind. */
function areNative(files) {
  const native = files[0]?.endsWith('.cpp') ?? false;
  const form = native ? /_test\.cpp$/ : /\.test\.ts$/;
  const missing = files.find((file) => !form.test(file) || !existsSync(join(ROOT, file)));
  if (missing === undefined) return native;
  throw new SetupError(
    `${missing}: no such file; allowed: paths of files NAME.test.ts from here, or of NAME_test.cpp`,
  );
}

const TASKS = {
  async start() {
    await build();
    await runCompiled('bundle/lib/cli.js', args);
  },
  async build() {
    const withTests = args.includes('--tests');
    await build({ nativeTests: withTests, tools: withTests });
  },
  async test() {
    if (areNative(args)) {
      const { runSingleNativeTests } = await import('./native-tests.mjs');
      process.exitCode = await runSingleNativeTests(await buildNativeTests(args));
      return;
    }
    if (args.length > 0) await buildFor(args);
    else await build({ nativeTests: true, tools: true });
    const { runTests } = await import('./tests.mjs');
    process.exitCode = await runTests(args);
  },
  /** The example clients of docs/examples, whose languages are Debian packages. */
  async examples() {
    await need('grpcio', 'grpc++', 'grpc-go');
    await build({ tools: true });
    const { runTests, testsIn } = await import('./tests.mjs');
    process.exitCode = await runTests(testsIn('test/ci').filter((name) => name.includes('/oem-')));
  },
  /** MQTT connections on a real broker, which is a Debian package. */
  async mosquitto() {
    await need('mosquitto');
    await build({ tools: true });
    const { runTests, testsIn } = await import('./tests.mjs');
    process.exitCode = await runTests(testsIn('test/mosquitto'));
  },
  /** Pages in a real browser, which is a Debian package. */
  async browser() {
    await need('chromium');
    await build({ tools: true });
    const { runTests, testsIn } = await import('./tests.mjs');
    process.exitCode = await runTests(testsIn('test/browser'));
  },
  /** Settings of a Linux system, on a real D-Bus daemon with mocks of the system's services. */
  async dbus() {
    await need('dbus');
    await build({ tools: true });
    const { runTests, testsIn } = await import('./tests.mjs');
    process.exitCode = await runTests(testsIn('test/dbus'));
  },
  /** Certificates from a real FTPS server, which is a Debian package. */
  async ftps() {
    await need('pyftpdlib');
    await build({ tools: true });
    const { runTests, testsIn } = await import('./tests.mjs');
    process.exitCode = await runTests(testsIn('test/ftps'));
  },
  /** Cut networks need a network that may be cut. */
  async network() {
    await need('namespaces');
    await build({ tools: true });
    const { runTests, testsIn } = await import('./tests.mjs');
    process.exitCode = await runTests(testsIn('test/network'), { inNamespace: true });
  },
  /** What strangers send: the room of security, and floods that need the machine for themselves. */
  async attack() {
    await build({ tools: true });
    const { runTests, testsIn } = await import('./tests.mjs');
    process.exitCode = await runTests([...testsIn('test/security'), ...testsIn('test/attack')]);
  },
  /** Programs that look for holes: of Debian, and of Python's package index. */
  async scanners() {
    await need('sslscan', 'testssl', 'python-venv');
    await build({ tools: true });
    await needSchemathesis();
    const { runTests, testsIn } = await import('./tests.mjs');
    process.exitCode = await runTests(testsIn('test/scanners'));
  },
  /** Faults at random under load, with every event accounted. */
  async campaign() {
    await wish('faketime');
    await build({ tools: true });
    await runCompiled('test/campaign/main.js', args);
  },
  /** Random requests; takes minutes as well. */
  async property() {
    await build({ tools: true });
    const { runTests, testsIn } = await import('./tests.mjs');
    process.exitCode = await runTests(testsIn('test/property'));
  },
  /** Programs killed at many moments. */
  async kills() {
    await build({ tools: true });
    const { runTests, testsIn } = await import('./tests.mjs');
    process.exitCode = await runTests(testsIn('test/kills'));
  },
  /** What takes minutes. */
  async long() {
    await build({ tools: true });
    const { runTests, testsIn } = await import('./tests.mjs');
    process.exitCode = await runTests(testsIn('test/long'));
  },
  async bench() {
    await build({ nativeBench: ['air', 'module'].includes(args[0]), tools: true });
    await runCompiled('bench/main.js', args);
  },
};

try {
  await TASKS[task]();
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  process.stderr.write(`singulate: ${error.message}\n`);
  process.exitCode = 1;
}
