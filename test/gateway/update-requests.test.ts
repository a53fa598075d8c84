/** Requests for an update that are not right. */
import { join } from 'node:path';
import t from 'tap';
import { TestReader } from './reader.js';

const GOOD = { url: 'https://127.0.0.1:9/os.tar', authenticationType: 'NONE' };

t.test('a wrong request is refused with the name of the field, and nothing begins', async (t) => {
  const reader = await TestReader.start(t);
  t.teardown(() => reader.gateway.stop());
  const refused: [string, object, ...RegExp[]][] = [
    ['nothing', {}, /url: is required/, /authenticationType: is required/],
    ['another scheme', { ...GOOD, url: 'ftp://host/os' }, /^url: "ftp:.* is not an http\(s\) URL/],
    ['no URL', { ...GOOD, url: 'http://ho st' }, /^url: is not an http\(s\) URL/],
    ['credentials in the URL', { ...GOOD, url: 'http://me:x@host/' }, /^url: .*options$/],
    [
      'a kind of login',
      { ...GOOD, authenticationType: 'DIGEST' },
      /^authenticationType: .*NONE, BASIC/,
    ],
    [
      'BASIC without credentials',
      { ...GOOD, authenticationType: 'BASIC' },
      /options.username: is required for BASIC/,
      /options.password: is required for BASIC/,
    ],
    [
      'a number as password',
      { ...GOOD, options: { password: 1 } },
      /^options.password: the given value is not a text/,
    ],
    ['a flag as text', { ...GOOD, verifyPeer: 'no' }, /^verifyPeer: "no" is not true or false/],
    [
      'a header of the reader',
      { ...GOOD, headers: { Range: 'bytes=0-' } },
      /^headers.Range: is set by/,
    ],
    ['two lines in a header', { ...GOOD, headers: { a: 'b\r\nc: d' } }, /^headers.a: may only/],
    ['a header name', { ...GOOD, headers: { 'a b': 'c' } }, /^headers\["a b"\]: is not the name/],
    [
      'a header that is no text',
      { ...GOOD, headers: { a: 1 } },
      /^headers.a: the given value is not a text/,
    ],
    ['another kind of retry', { ...GOOD, retry: { type: 'often' } }, /^retry.type: .*randomWait/],
    [
      'retries',
      { ...GOOD, retry: { policy: { retries: -1 } } },
      /^retry.policy.retries: -1 is below/,
    ],
    [
      'waits the wrong way round',
      { ...GOOD, retry: { policy: { wait: { min: 5, max: 2 } } } },
      /^retry.policy.wait.min: 5 is above max, 2/,
    ],
    [
      'a timeout',
      { ...GOOD, timeouts: { read: 0 } },
      /^timeouts.read: 0 is below the minimum of 1/,
    ],
    [
      'a CA',
      { ...GOOD, CACertificateFileContent: 'x' },
      /^CACertificateFileContent: is not a cert/,
    ],
    [
      'a CA file that is not there',
      { ...GOOD, CACertificateFileLocation: join(reader.stateDir, 'nowhere') },
      /^CACertificateFileLocation: does not name a file in PEM that this reader takes/,
    ],
    [
      'a CA file that is none',
      { ...GOOD, CACertificateFileLocation: join(reader.stateDir, 'auth.json') },
      /^CACertificateFileLocation: does not name a file in PEM that this reader takes/,
    ],
  ];
  for (const [what, body, ...words] of refused) {
    const { status, json } = await reader.call('PUT', 'os', body);
    t.equal(status, 400, what);
    t.equal(json.code, 1, what);
    for (const word of words) t.match(json.message, word, what);
  }
  const status = await reader.call('GET', 'status');
  t.equal(status.status, 200);
  t.equal(status.json.lastOsUpdate, undefined);
});

t.test('OpenAPI has the update, and the upgrade status with 202', async (t) => {
  const reader = await TestReader.start(t);
  t.teardown(() => reader.gateway.stop());
  const { json } = await reader.call('GET', 'openapi.json');
  const { paths, components } = json;
  t.match(paths['/cloud/os'].put.requestBody.content['application/json'].schema, {
    $ref: '#/components/schemas/OsUpdate',
  });
  t.ok(paths['/cloud/revertbackOS'].put.responses['404']);
  t.match(paths['/cloud/status'].get.responses['202'].content['application/json'].schema, {
    $ref: '#/components/schemas/UpgradeStatus',
  });
  t.same(components.schemas.OsUpdate.required, ['url', 'authenticationType']);
});
