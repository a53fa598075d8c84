/** Programs on the reader need a token like all others, unless the reader was told otherwise. */
import t from 'tap';
import { Admission } from '../../src/reader-gateway/auth/admission.js';
import { Tokens } from '../../src/reader-gateway/auth/tokens.js';
import { send, TestReader } from '../gateway/reader.js';

t.test('by default nobody comes in without a token', async (t) => {
  const reader = await TestReader.start(t);
  t.teardown(() => reader.gateway.stop());
  t.equal((await send(reader.gateway.restUrl, 'GET', '/cloud/version')).status, 401);
});

t.test('a reader that trusts local programs', async (t) => {
  const reader = await TestReader.start(t, { trustLocalPrograms: true });
  t.teardown(() => reader.gateway.stop());
  const status = async (headers: Record<string, string> = {}) =>
    (await send(reader.gateway.restUrl, 'GET', '/cloud/version', { headers })).status;

  t.test('lets them in without a token', async (t) => {
    t.equal(await status(), 200);
  });

  t.test('never lets in a wrong token, or somebody behind a proxy or in a browser', async (t) => {
    for (const headers of [
      { authorization: 'Bearer wrong' },
      { authorization: '' },
      { authorization: 'Basic d3Jvbmc6d3Jvbmc=' },
      { 'x-forwarded-for': '127.0.0.1' },
      { 'x-real-ip': '127.0.0.1' },
      { forwarded: 'for=127.0.0.1' },
      { via: '1.1 proxy' },
      { origin: 'https://127.0.0.1:8443' },
      { 'sec-fetch-site': 'cross-site' },
    ]) {
      t.equal(await status(headers as Record<string, string>), 401, JSON.stringify(headers));
    }
  });

  t.test('lets in nobody from another address', async (t) => {
    const admission = new Admission(new Tokens(Buffer.alloc(32).toString('base64')), true);
    const from = (remoteAddress: string) =>
      admission.of({ headers: {}, socket: { remoteAddress } } as never, undefined);
    for (const address of ['127.0.0.1', '127.1.2.3', '::1', '::ffff:127.0.0.1']) {
      t.equal(await from(address), 'as a local program', address);
    }
    for (const address of ['192.0.2.1', '128.0.0.1', '::ffff:192.0.2.1', 'fe80::1', '']) {
      t.equal(await from(address), undefined, address);
    }
  });
});
