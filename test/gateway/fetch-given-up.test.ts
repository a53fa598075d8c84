/** A fetch that fails before the file that it writes is open. */
import { createServer } from 'node:net';
import { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { fetchInto } from '../../src/reader-gateway/fetch/fetch-file.js';
import { FetchProblem } from '../../src/reader-gateway/fetch/fetch-source.js';
import { Certificates } from '../../src/reader-gateway/tls/certificates.js';
import { listen } from './connection-tests.js';
import { temporaryFolder } from './reader.js';

/** As a file on a slow disk, in a folder that is removed meanwhile. */
class LateSink extends Writable {
  override _construct(done: (error?: Error) => void): void {
    setTimeout(() => done(new Error('the folder is gone')), 300);
  }
}

t.test('the failure comes after the end of the sink, whose own failure is nobody’s', async (t) => {
  const uncaught: unknown[] = [];
  const onUncaught = (error: unknown) => void uncaught.push(error);
  process.on('uncaughtException', onUncaught);
  t.teardown(() => process.off('uncaughtException', onUncaught));
  const port = await listen(
    t,
    createServer((socket) => socket.destroy()),
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
  t.ok(failure instanceof FetchProblem);
  t.equal(sink.closed, true);
  await sleep(500);
  t.same(uncaught, []);
});
