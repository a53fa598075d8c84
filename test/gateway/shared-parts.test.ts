import { Ajv2020 } from 'ajv/dist/2020.js';
import t from 'tap';
import { closed } from '../../src/reader-gateway/api/closed.js';
import type { TSchema } from '../../src/reader-gateway/api/schema.js';
import { shareParts } from '../../src/reader-gateway/api/shared-parts.js';
import { OPERATIONS } from '../../src/reader-gateway/operations/table.js';

const SCHEMAS = OPERATIONS.flatMap(({ name, requestSchema }) =>
  requestSchema === undefined ? [] : [{ name, schema: requestSchema }],
);

t.test(
  'every schema of a request is a right one, as it is and with its parts shared',
  async (t) => {
    // The reader itself does not load the schema of schemas.
    const ajv = new Ajv2020({ strict: false });
    for (const { name, schema } of SCHEMAS) {
      t.ok(ajv.validateSchema(schema), name);
      t.ok(ajv.validateSchema(shareParts(closed(schema))), `${name}, shared`);
    }
  },
);

t.test('a part that stands twice is written once', async (t) => {
  const long = {
    type: 'object',
    description: 'x'.repeat(300),
    properties: { a: { type: 'number' } },
  };
  const schema = { type: 'object', properties: { one: long, two: long } } as unknown as TSchema;
  const shared = shareParts(schema) as unknown as { properties: object; $defs: object };
  t.same(shared.properties, { one: { $ref: '#/$defs/part1' }, two: { $ref: '#/$defs/part1' } });
  t.same(shared.$defs, { part1: long });
});

t.test('what has no equal parts stays as it is', async (t) => {
  const schema = { type: 'object', properties: { a: { type: 'number' } } } as unknown as TSchema;
  t.equal(shareParts(schema), schema);
});

t.test('the largest schema becomes a fraction of itself', async (t) => {
  const size = (schema: object) => JSON.stringify(schema).length;
  const largest = SCHEMAS.map(({ schema }) => closed(schema)).sort((a, b) => size(b) - size(a))[0];
  t.ok(largest !== undefined && size(shareParts(largest)) < size(largest) / 2);
});
