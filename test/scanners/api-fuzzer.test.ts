/** Schemathesis makes requests of all kinds out of the OpenAPI document that the reader serves. */
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { PACKAGE_ROOT } from '../../src/shared/package-info.js';
import type { Product } from '../e2e/product.js';
import { scan, startScanned } from './scanned-reader.js';

const PROGRAM = join(PACKAGE_ROOT, 'out/schemathesis/bin/schemathesis');
const HOOKS = join(PACKAGE_ROOT, 'test/scanners/api-fuzzer-hooks.py');
const SECONDS = process.env.FUZZER_SECONDS ?? '200';
const CHECKS = [
  'no_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'unsupported_method',
  'allow_header_conformance',
];
/** The answer has no end. */
const ENDLESS = ['/cloud/events'];
/** They take the reader away from the fuzzer when they are right; without a token they are tried too. */
const TAKES_IT_AWAY = [
  '/cloud/reboot',
  '/cloud/revertbackOS',
  '/cloud/os',
  '/cloud/config/reset',
  '/cloud/config/import',
  '/cloud/updatePassword',
];

async function fuzz(t: Test, { restPort }: Product, without: string[], more: string[]) {
  const origin = `https://127.0.0.1:${restPort}`;
  const output = await scan(
    PROGRAM,
    [
      ...['run', `${origin}/cloud/openapi.json`, '--url', origin, '--tls-verify', 'false'],
      ...['--checks', CHECKS.join(','), '--phases', 'examples,coverage,fuzzing'],
      ...['--max-time', SECONDS, '--seed', '1', '--generation-database', 'none'],
      ...['--request-timeout', '60', '--no-color', '--continue-on-failure'],
      ...without.flatMap((path) => ['--exclude-path', path]),
      ...more,
    ],
    { SCHEMATHESIS_HOOKS: HOOKS },
  );
  const summary = /^ +(\d+) generated, (.*)$/m.exec(output);
  t.comment(summary?.[0]);
  t.ok(Number(summary?.[1]) > 1000, 'requests were made');
  const isClean = /^\d+ passed(, \d+ skipped)?$/.test(summary?.[2] ?? '');
  t.ok(isClean, isClean ? 'all of them are as documented' : output.slice(-20_000));
}

t.test('no answer is a server error or undocumented', async (t) => {
  const { product } = await startScanned(t);
  await t.test('without a token', (t) => fuzz(t, product, ENDLESS, []));
  await t.test('with a token', (t) =>
    fuzz(
      t,
      product,
      [...ENDLESS, ...TAKES_IT_AWAY],
      ['--header', `Authorization: Bearer ${product.token}`],
    ),
  );
  t.equal((await product.call('GET', '/cloud/status')).status, 200, 'it is well');
});
