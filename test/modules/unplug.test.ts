/** The cable of a module is pulled, and put back. */
import t from 'tap';
import { RadioState, ReportFilter } from '../../src/contract/messages.js';
import { counterToNumber } from '../../src/contract/time.js';
import { emulated, epcOf, listen, radioOn, until } from './emulated.js';

t.test('reading goes on by itself, and no tag is reported twice for it', async (t) => {
  const { path, emulator } = await emulated(t);
  const { client, service } = await radioOn(t, path);
  await until(
    async () => (await client.getStatus()).state === RadioState.RADIO_STATE_IDLE,
    'the module is connected',
  );
  const reads = await listen(t, client);
  const { inventoryId } = await client.startInventory({
    plan: { reportFilter: { kind: ReportFilter.Kind.ONCE }, antennas: [{ port: 1 }] },
    owner: 'test',
  });
  const counted = async () => counterToNumber((await client.getStatus()).counters?.reads);
  for (let times = 1; times <= 3; times++) {
    const before = await counted();
    await until(async () => (await counted()) > before + 20, 'tags are read');
    t.ok(emulator.inject('unplug'));
    await until(
      async () => (await client.getStatus()).state === RadioState.RADIO_STATE_DISCONNECTED,
      'it is seen that the module is gone',
    );
    t.match(await client.getStatus(), { inventoryId, endReason: '', link: { connected: false } });
    const without = await counted();
    t.ok(emulator.inject('replug'));
    await until(
      async () => (await client.getStatus()).state === RadioState.RADIO_STATE_READING,
      'it is found again',
    );
    await until(async () => (await counted()) > without + 20, 'tags are read again');
    const { link } = await client.getStatus();
    t.equal(counterToNumber(link?.reconnects), times);
    t.equal(link?.fault, '');
  }
  const { counters } = await client.stopInventory();
  const tags = counterToNumber(counters?.uniqueTags);
  await until(() => reads.length >= tags, 'every report arrived');
  t.equal(reads.length, tags);
  t.equal(new Set(reads.map(epcOf)).size, tags, 'each tag is reported once');
  t.equal(counterToNumber(counters?.dropped), 0);
  t.same(
    service.messages.filter(({ type }) => type === 'inventory-ended').length,
    1,
    'the inventory ended only when it was stopped',
  );
});

t.test('a module that is pulled while nothing reads is found again', async (t) => {
  const { path, emulator } = await emulated(t);
  const { client } = await radioOn(t, path);
  const stateIs = (state: number) => async () => (await client.getStatus()).state === state;
  await until(stateIs(RadioState.RADIO_STATE_IDLE), 'the module is connected');
  t.ok(emulator.inject('unplug'));
  await until(stateIs(RadioState.RADIO_STATE_DISCONNECTED), 'it is seen that it is gone');
  t.ok(emulator.inject('replug'));
  await until(stateIs(RadioState.RADIO_STATE_IDLE), 'it is found again');
  const reads = await listen(t, client);
  await client.startInventory({ plan: {}, owner: 'test' });
  await until(() => reads.length > 0, 'tags are read');
});

t.test('reading can be stopped, and the service ended, while the module is away', async (t) => {
  const { path, emulator } = await emulated(t);
  const { client, service } = await radioOn(t, path);
  const stateIs = (state: number) => async () => (await client.getStatus()).state === state;
  await until(stateIs(RadioState.RADIO_STATE_IDLE), 'the module is connected');
  const reads = await listen(t, client);
  await client.startInventory({ plan: {}, owner: 'test' });
  await until(() => reads.length > 0, 'tags are read');
  t.ok(emulator.inject('unplug'));
  await until(stateIs(RadioState.RADIO_STATE_DISCONNECTED), 'it is seen that it is gone');
  const { counters } = await client.stopInventory();
  t.ok(counterToNumber(counters?.reads) > 0);
  t.match(await client.getStatus(), { state: RadioState.RADIO_STATE_DISCONNECTED });
  service.kill('SIGTERM');
  t.equal(await service.exit, 0);
});
