/** The download of an update: what it does about servers and lines that are not as they should be. */
import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { temporaryFolder, until } from './reader.js';
import { FileServer, makeBundle, readDevice, TestUpdater, type UpdaterWish } from './updates.js';

const BUNDLE = makeBundle({ version: '2.0.0' });
const OTHER = makeBundle({ version: '3.0.0', parts: { rootFileSystem: 250_000 } });

async function parts(t: Test, more: UpdaterWish = {}) {
  const server = await FileServer.start(t, BUNDLE);
  const stateDir = temporaryFolder(t);
  const reader = await TestUpdater.start(stateDir, more);
  t.teardown(() => reader.updater.close());
  const ended = async () => {
    await until('the update ends', () => reader.updater.last, 20_000);
    return reader.updater.last;
  };
  /** The line breaks once the reader has written so many bytes; then `next` of each answer pass. */
  const breakAt = async (bytes: number, next = Number.POSITIVE_INFINITY) => {
    const file = join(stateDir, 'update', 'download');
    await until(
      `${bytes} bytes are there`,
      () => existsSync(file) && statSync(file).size === bytes,
    );
    server.holdAfter = next;
    server.breakOff();
  };
  const ranges = () => server.requests.map(rangeOf);
  return { server, reader, stateDir, ended, breakAt, ranges };
}

function rangeOf({ headers, status }: FileServer['requests'][number]): string {
  return `${status} ${headers.range ?? 'all'}`;
}

t.test('a download that breaks off goes on from its last byte', async (t) => {
  const { server, reader, ended, breakAt, ranges, stateDir } = await parts(t);
  server.holdAfter = 50_000;
  await reader.begin(server.url);
  await breakAt(50_000, 70_000);
  await breakAt(120_000);
  t.match(await ended(), { status: 'finished', version: '2.0.0' });
  t.equal(ranges()[0], '200 all');
  t.equal(server.requests.length, 3);
  t.equal(ranges()[1], '206 bytes=50000-');
  t.equal(ranges()[2], '206 bytes=120000-');
  t.equal(server.requests[1]?.headers['if-range'], '"first"');
  t.equal(server.requests[1]?.headers['accept-encoding'], 'identity');
  t.equal(readDevice(stateDir).version, '2.0.0');
});

t.test('a file that changed in between begins again', async (t) => {
  const { server, reader, ended, breakAt, ranges } = await parts(t);
  server.holdAfter = 50_000;
  await reader.begin(server.url);
  await until('it is served', () => server.requests.length > 0);
  server.content = OTHER;
  server.etag = '"second"';
  await breakAt(50_000);
  t.match(await ended(), { status: 'finished', version: '3.0.0' });
  t.same(ranges(), ['200 all', '200 bytes=50000-']);
});

t.test('a server that goes on with a file of another size is not believed', async (t) => {
  const { server, reader, ended, breakAt, ranges } = await parts(t);
  server.holdAfter = 50_000;
  await reader.begin(server.url);
  await until('it is served', () => server.requests.length > 0);
  // Another content under an unchanged name: a broken server.
  server.content = OTHER;
  await breakAt(50_000);
  t.match(await ended(), { status: 'finished', version: '3.0.0' });
  t.same(ranges(), ['200 all', '206 bytes=50000-', '200 all']);
});

t.test(
  'a server without ETag or date, or without ranges, is asked for all of it again',
  async (t) => {
    for (const change of [
      (server: FileServer) => {
        server.etag = undefined;
      },
      (server: FileServer) => {
        server.etag = 'W/"weak"';
      },
      (server: FileServer) => {
        server.headers = { 'accept-ranges': 'none' };
      },
    ]) {
      const { server, reader, ended, breakAt, ranges } = await parts(t);
      change(server);
      server.holdAfter = 50_000;
      await reader.begin(server.url);
      await breakAt(50_000);
      t.match(await ended(), { status: 'finished', version: '2.0.0' });
      t.same(ranges(), ['200 all', '200 all']);
    }
    const { server, reader, ended, breakAt, ranges } = await parts(t);
    server.ignoresRanges = true;
    server.holdAfter = 50_000;
    await reader.begin(server.url);
    await breakAt(50_000);
    t.match(await ended(), { status: 'finished', version: '2.0.0' });
    t.same(ranges(), ['200 all', '200 bytes=50000-']);
  },
);

t.test('an old enough date is as good as an ETag', async (t) => {
  const { server, reader, ended, breakAt, ranges } = await parts(t);
  server.etag = undefined;
  server.lastModified = 'Mon, 06 May 2024 05:08:09 GMT';
  server.holdAfter = 50_000;
  await reader.begin(server.url);
  await breakAt(50_000);
  t.match(await ended(), { status: 'finished' });
  t.same(ranges(), ['200 all', '206 bytes=50000-']);
  t.equal(server.requests[1]?.headers['if-range'], server.lastModified);
});

t.test('the limit of tries is kept, and the device is as before', async (t) => {
  const { server, reader, ended, stateDir } = await parts(t);
  server.failures = Array.from({ length: 20 }, () => {
    return { status: 503, headers: { 'content-encoding': 'gzip' } };
  });
  await reader.begin(server.url, { retry: { policy: { retries: 3, wait: { min: 0, max: 0 } } } });
  t.match(await ended(), {
    status: 'failed',
    error: /^given up: http:.*\/os\.tar answers with HTTP status 503$/,
  });
  t.equal(server.requests.length, 4);
  t.match(reader.told.at(-1), { status: 'failed', error: /given up/ });
  t.equal(readDevice(stateDir).booted, 'A');
  await reader.begin((await parts(t)).server.url);
  t.match(await ended(), { status: 'finished' }, 'another update is possible');
});

t.test(
  'a busy server is asked again when it said, but no later than the longest wait',
  async (t) => {
    const { server, reader, ended } = await parts(t);
    server.failures = [{ status: 429, headers: { 'retry-after': '3600' } }];
    const begun = performance.now();
    await reader.begin(server.url, { retry: { policy: { wait: { min: 0, max: 1 } } } });
    t.match(await ended(), { status: 'finished' });
    t.ok(performance.now() - begun >= 1000);
  },
);

t.test('what will not get better is told at once, and no update begins', async (t) => {
  const { server, reader } = await parts(t, { maxBytes: 1_000_000 });
  const refused = async (field: string, message: RegExp) => {
    await t.rejects(reader.begin(server.url), {
      code: 'INVALID',
      violations: [{ field, message }],
    });
  };
  for (const status of [401, 403]) {
    server.failures = [{ status }];
    await refused('options', new RegExp(`does not let us in \\(HTTP status ${status}\\)`));
  }
  for (const status of [404, 410]) {
    server.failures = [{ status }];
    await refused('url', new RegExp(`answers with HTTP status ${status}$`));
  }
  for (const location of ['/again', 'file:///etc/passwd']) {
    server.failures = Array.from({ length: 20 }, () => ({ status: 302, headers: { location } }));
    await refused('url', /redirects (more than 5|from http: to file:)/);
  }
  server.failures = [];
  server.headers = { 'content-encoding': 'gzip' };
  await refused('url', /in an encoded form/);
  server.headers = {};
  server.content = Buffer.alloc(1_000_001);
  await refused('url', /above the limit of 1000000 bytes/);
  t.same(reader.told, []);
  t.equal(reader.updater.last, undefined);
  t.same(server.requests, []);
});

t.test('a refusal that comes after the first look is the end of the update', async (t) => {
  const { server, reader, ended } = await parts(t);
  server.holdAfter = 50_000;
  await reader.begin(server.url);
  await until('it is served', () => server.requests.length > 0);
  server.failures = [{ status: 404 }];
  server.breakOff();
  t.match(await ended(), { status: 'failed', error: /answers with HTTP status 404$/ });
  t.equal(server.requests.length, 2);
});

t.test('a file above the size limit is refused also of a server that hides its size', async (t) => {
  const { server, reader, ended, stateDir } = await parts(t, { maxBytes: 100_000 });
  server.sendsLength = false;
  await reader.begin(server.url);
  t.match(await ended(), { status: 'failed', error: /above the limit of 100000 bytes/ });
  t.notOk(existsSync(join(stateDir, 'update', 'download')));
});

t.test('without room nothing is written', async (t) => {
  let free = 1_000_000;
  const { server, reader, ended } = await parts(t, {
    readStorage: async () => ({ total: free, free, used: 0 }),
  });
  const message = /there is no room: .* 1000000 are free/;
  await t.rejects(reader.begin(server.url), { code: 'STATE', message });
  t.equal(reader.updater.last, undefined);
  t.same(server.requests, []);
  free = 100_000_000;
  server.holdAfter = 50_000;
  await reader.begin(server.url);
  await until('it is served', () => server.requests.length > 0);
  free = 1_000_000;
  server.breakOff();
  t.match(await ended(), { status: 'failed', error: message });
});

t.test('a download that is not what its digest says is tried again', async (t) => {
  const { server, reader, ended } = await parts(t);
  const digest = (content: Buffer) => createHash('sha256').update(content).digest('base64');
  server.headers = { 'repr-digest': `sha-256=:${digest(OTHER)}:` };
  await reader.begin(server.url, { retry: { policy: { retries: 1, wait: { min: 0, max: 0 } } } });
  t.match(await ended(), { status: 'failed', error: /not what its digest in the answer says/ });
  t.equal(server.requests.length, 2);
  server.headers = { 'repr-digest': `sha-256=:${digest(BUNDLE)}:` };
  await reader.begin(server.url);
  await until('the second one ends', () => reader.updater.last?.status === 'finished');
});

t.test('a server that stands still is left after the read timeout', async (t) => {
  const { server, reader, ended, ranges } = await parts(t);
  server.holdAfter = 60_000;
  await reader.begin(server.url, { timeouts: { read: 1 } });
  // On a stalled machine it may have been left before these bytes were there, too.
  await until('it is asked again', () => ranges().includes('206 bytes=60000-'), 15_000);
  server.holdAfter = Number.POSITIVE_INFINITY;
  server.breakOff();
  t.match(await ended(), { status: 'finished' });
});

t.test('a redirect is followed; what is meant for one host does not go to another', async (t) => {
  const { server, reader, ended } = await parts(t);
  const front = await FileServer.start(t, Buffer.alloc(0));
  front.failures = [
    { status: 302, headers: { location: '/moved' } },
    { status: 307, headers: { location: server.url } },
  ];
  await reader.begin(front.url, {
    authenticationType: 'BASIC',
    options: { username: 'me', password: 'x' },
    headers: { 'x-token': 'secret' },
  });
  t.match(await ended(), { status: 'finished' });
  t.same(
    front.requests.map(({ path, headers }) => [path, headers['x-token']]),
    [
      ['/os.tar', 'secret'],
      ['/moved', 'secret'],
    ],
  );
  for (const elsewhere of [...server.looks, ...server.requests]) {
    t.equal(elsewhere.headers.authorization, undefined);
    t.equal(elsewhere.headers['x-token'], undefined);
  }
  t.equal(server.looks.length + server.requests.length, 2);
});

t.test('a server that closes the connection after each answer is as good as another', async (t) => {
  const { server, reader, ended } = await parts(t);
  server.content = makeBundle({ version: '2.0.0', parts: { rootFileSystem: 20_000_000 } });
  server.headers = { connection: 'close' };
  await reader.begin(server.url);
  t.match(await ended(), { status: 'finished', version: '2.0.0' });
  t.equal(server.requests.length, 1);
});
