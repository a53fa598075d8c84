/** Examples are values that the reader takes, or answers. */
import t from 'tap';
import { RESOURCES } from '../../src/reader-gateway/api/resources.js';
import { asyncApiDocument } from '../../src/reader-gateway/documents/asyncapi.js';
import { examplesFor } from '../../src/reader-gateway/documents/examples.js';
import { openApiDocument } from '../../src/reader-gateway/documents/openapi.js';
import { OPERATIONS } from '../../src/reader-gateway/operations/table.js';
import { modelNames } from '../../src/shared/reader-model/find-model.js';
import { asSent, compile, type Document } from './compiled.js';
import { SAMPLE_CONNECTIONS, sampleFacts } from './sample-facts.js';

for (const model of [undefined, ...modelNames()]) {
  t.test(`of ${model ?? 'a reader that does not know its radio'}`, async (t) => {
    const facts = model === undefined ? undefined : await sampleFacts(model);
    const basis = { operations: OPERATIONS, version: '1.0.0', facts };
    const host = 'reader.local';

    t.test('every schema has one', async (t) => {
      const examples = examplesFor(facts);
      for (const name of Object.keys(RESOURCES)) {
        // It can only be that of the reader itself.
        if (name === 'ReaderCapabilities' && facts === undefined) continue;
        t.ok((examples[name] ?? []).length > 0, `an example of ${name} in documents/examples.ts`);
      }
      t.strictSame(
        Object.keys(examples).filter((name) => !(name in RESOURCES)),
        [],
        'and there are no others',
      );
    });

    t.test('they fit the schemas of the OpenAPI document', async (t) => {
      const document = asSent(openApiDocument(basis));
      for (const [name, schema] of Object.entries<Document>(document.components.schemas)) {
        const validate = compile(document, 'components', 'schemas', name);
        for (const example of schema.examples ?? []) {
          t.ok(validate(example), `${name}: ${JSON.stringify(validate.errors)}`);
        }
      }
    });

    t.test('messages and their examples fit those of the AsyncAPI document', async (t) => {
      const connections = SAMPLE_CONNECTIONS;
      const document = asSent(asyncApiDocument({ ...basis, host, connections }));
      for (const [name, message] of Object.entries<Document>(document.components.messages)) {
        const validate = compile(document, 'components', 'messages', name, 'payload');
        for (const { payload } of message.examples ?? []) {
          t.ok(validate(payload), `${name}: ${JSON.stringify(validate.errors)}`);
        }
      }
      const withoutExample = OPERATIONS.filter(
        ({ mqttCommand }) => document.components.messages[mqttCommand].examples === undefined,
      );
      t.strictSame(withoutExample, []);
    });
  });
}
