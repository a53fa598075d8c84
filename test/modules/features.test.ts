/** What a module cannot do is shown in the capabilities, and refused in a plan. */
import t from 'tap';
import { RadioClient } from '../../src/contract/client.js';
import type { InventoryPlanInput } from '../../src/contract/messages.js';
import { startRadioControl } from '../oem/radio-control.js';
import { emulated, radioOn, until } from './emulated.js';

const select = { target: 4, action: 0, bank: 1, pointer: 32, length: 8, mask: Uint8Array.of(0x30) };

t.test('an M7e, and a simulated radio that imitates one', async (t) => {
  const { path } = await emulated(t);
  const module = await radioOn(t, path);
  await until(
    async () => (await module.client.getCapabilities()).antennas.length > 0,
    'the module is connected',
  );
  const service = await startRadioControl(t, ['--radio', 'virtual:m7e']);
  const simulated = new RadioClient(service.target);
  t.teardown(() => simulated.close());
  const plain = new RadioClient((await startRadioControl(t)).target);
  t.teardown(() => plain.close());

  const { features } = await module.client.getCapabilities();
  t.match(
    features.find(({ what }) => what === 'beams of an array antenna'),
    { field: 'antennas[].beam', support: 0 },
  );
  t.match(
    features.find(({ what }) => what === 'selects'),
    { field: 'antennas[].selects', support: 3 },
  );
  const named = (all: typeof features) => all.map(({ what, support }) => `${what} ${support}`);
  t.same(named((await simulated.getCapabilities()).features), named(features), 'they are alike');
  t.notSame(named((await plain.getCapabilities()).features), named(features));

  const refused: [InventoryPlanInput, RegExp][] = [
    [{ antennas: [{ port: 1, selects: [select, select, select, select] }] }, /selects: 4 given/],
    [{ antennas: [{ port: 1, selects: [{ ...select, truncate: true }] }] }, /truncate/],
  ];
  for (const [plan, details] of refused) {
    for (const client of [module.client, simulated]) {
      await t.rejects(client.startInventory({ plan, owner: 'test' }), { code: 3, details });
    }
    await plain.explainPlan({ plan });
  }
});

t.test('a kind that there is not is refused with those that there are', async (t) => {
  await t.rejects(startRadioControl(t, ['--radio', 'virtual:m8']), {
    message: /ended with 2: .*imitate: "m8" given; allowed: virtual, m7e, m6e, silion/,
  });
});
