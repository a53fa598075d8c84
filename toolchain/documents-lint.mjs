/**
 * Lints the documents of the interface, offline: as they are served by a reader that does not know
 * its radio yet, and by one of the model that has most. A warning is a failure.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from './build.mjs';

const require = createRequire(import.meta.url);
const { Spectral } = require('@stoplight/spectral-core');
const { asyncapi, oas } = require('@stoplight/spectral-rulesets');
const load = (path) => import(pathToFileURL(join(ROOT, 'dist', path)).href);

/** All recommended rules hold, but for these. */
const RULES = {
  // Who to ask about a reader is for its maker to say.
  'info-contact': 'off',
  'asyncapi-info-contact': 'off',
  // These know version 2 only, or are for it.
  'asyncapi-latest-version': 'off',
};

function linter(ruleset) {
  const spectral = new Spectral();
  const known = Object.entries(RULES).filter(([name]) => name in ruleset.rules);
  spectral.setRuleset({ extends: [[ruleset, 'recommended']], rules: Object.fromEntries(known) });
  return spectral;
}

const [{ openApiDocument }, { asyncApiDocument, UNNAMED }, { OPERATIONS }, samples] =
  await Promise.all([
    load('src/reader-gateway/documents/openapi.js'),
    load('src/reader-gateway/documents/asyncapi.js'),
    load('src/reader-gateway/operations/table.js'),
    load('test/documents/sample-facts.js'),
  ]);

// Documents of the others differ in the limits of numbers, and it takes half a minute for each.
const RICHEST_MODEL = 'array-38';
const openApi = linter(oas);
const asyncApi = linter(asyncapi);
let findings = 0;
for (const model of [undefined, RICHEST_MODEL]) {
  const facts = model === undefined ? undefined : await samples.sampleFacts(model);
  const basis = { operations: OPERATIONS, version: '1.0.0', facts };
  const host = 'reader.local:8443';
  const connections = samples.SAMPLE_CONNECTIONS;
  const documents = [
    ['OpenAPI', openApi, openApiDocument(basis)],
    // Without topics, as without a token, and with them: the schemas are the same.
    [
      'AsyncAPI',
      asyncApi,
      asyncApiDocument({
        ...basis,
        host,
        connections: model === undefined ? UNNAMED : connections,
      }),
    ],
  ];
  for (const [name, spectral, document] of documents) {
    // As a client gets it.
    const found = await spectral.run(JSON.parse(JSON.stringify(document)));
    for (const { code, path, message } of found) {
      console.log(`${name} of ${model ?? 'any reader'}: ${path.join('.')}: ${message} (${code})`);
    }
    findings += found.length;
  }
}
process.exitCode = findings === 0 ? 0 : 1;
