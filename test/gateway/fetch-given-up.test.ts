/** A fetch that fails before the file that it writes is open. */
import { createServer } from 'node:net';
import { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { fetchInto } from '../../src/reader-gateway/fetch/fetch-file.js';
import { Certificates } from '../../src/reader-gateway/tls/certificates.js';
import { listen } from './connection-tests.js';
import { temporaryFolder } from './reader.js';

/** As a file on a slow disk, in a folder that is removed meanwhile. */
class LateSink extends Writable {
  override _construct(done: (error?: Error) => void): void {
    setTimeout(() => done(new Error('the folder is gone')), 300);
  }
}

/** Fetches from a server that hangs up after a while. */
async function givenUp(t: Test, hangsUpAfterMs: number) {
  const uncaught: unknown[] = [];
  const onUncaught = (error: unknown) => void uncaught.push(error);
  process.on('uncaughtException', onUncaught);
  t.teardown(() => process.off('uncaughtException', onUncaught));
  const port = await listen(
    t,
    createServer((socket) => void setTimeout(() => socket.destroy(), hangsUpAfterMs)),
  );
  const sink = new LateSink();
  const source = {
    url: `http://127.0.0.1:${port}/a.tar.gz`,
    tls: {},
    connectMs: 5000,
    readMs: 5000,
    totalMs: 10_000,
  };
  const certificates = new Certificates(temporaryFolder(t));
  const failure = await fetchInto(source, certificates, () => sink, 1000).catch((error) => error);
  t.ok(failure instanceof Error);
  t.equal(sink.closed, true);
  await sleep(500);
  t.same(uncaught, []);
}

t.test('the failure comes after the end of the sink, whose own failure is nobody’s', (t) =>
  givenUp(t, 0),
);

t.test('a sink that fails while nothing has come yet fails the fetch, and nothing else', (t) =>
  givenUp(t, 2000),
);
