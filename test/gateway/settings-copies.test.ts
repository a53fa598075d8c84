/** What is kept of a setting while it is changed is gone before the change is answered. */
import { readdirSync } from 'node:fs';
import t from 'tap';
import { runOperation } from '../../src/reader-gateway/operations/run-operation.js';
import { OPERATIONS } from '../../src/reader-gateway/operations/table.js';
import { TestReader } from './reader.js';

t.test('no copy lies in the state folder once a change is answered', async (t) => {
  const reader = await TestReader.start(t);
  t.teardown(() => reader.gateway.stop());
  const set = async (name: string, request: (count: number) => object) => {
    const operation = OPERATIONS.find((one) => one.name === name);
    if (operation === undefined) throw new Error(`there is no ${name}`);
    for (let count = 1; count <= 20; count++) {
      await runOperation(operation, reader.gateway.context, request(count), '');
      const copies = readdirSync(reader.stateDir).filter((file) => file.endsWith('.tmp'));
      t.same(copies, [], `${name}, change ${count}`);
    }
  };
  await set('setMode', (count) => ({ type: 'SIMPLE', antennas: [1 + (count % 2)] }));
  await set('setConfig', (count) => ({ xml: `<a>${count}</a>` }));
  await set('setNameAndDescription', (count) => ({ name: `reader ${count}`, description: '' }));
});
