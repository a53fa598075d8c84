/** Name and description. */
import t from 'tap';
import { TestReader } from './reader.js';

t.test('name and description', async (t) => {
  const reader = await TestReader.start(t);
  let { gateway } = reader;
  t.teardown(() => gateway.stop());

  t.test('the host name is the name of a reader that was told none', async (t) => {
    await reader.call('PUT', 'hostname', { hostname: 'dock-9' });
    t.same((await reader.call('GET', 'nameAndDescription')).json, {
      name: 'dock-9',
      description: '',
    });
  });

  t.test('are set together and last across a restart', async (t) => {
    const both = { name: 'Dock 9 – Süd', description: 'North side, "gate" 4' };
    t.match(await reader.call('PUT', 'nameAndDescription', both), { status: 200, text: '' });
    await gateway.stop();
    const next = await TestReader.start(t, { stateDir: reader.stateDir, radio: reader.radio });
    gateway = next.gateway;
    t.same((await next.call('GET', 'nameAndDescription')).json, both);
    const cases: [object, string][] = [
      [{ name: 'x' }, 'description: is required'],
      [{ name: '', description: '' }, 'name: must not be empty'],
      [{ ...both, name: 7 }, 'name: 7 is not a text'],
    ];
    for (const [body, message] of cases) {
      const { status, json } = await next.call('PUT', 'nameAndDescription', body);
      t.same({ status, json }, { status: 422, json: { code: 1, message } });
    }
    t.same((await next.call('GET', 'nameAndDescription')).json, both);
  });
});
