/** The region of a simulated radio, changed while the service runs. */
import t, { type Test } from 'tap';
import { RadioClient } from '../../src/contract/client.js';
import type { ReadBatch } from '../../src/contract/messages.js';
import { until } from '../gateway/reader.js';
import { startRadioControl } from '../oem/radio-control.js';

const CODES = { INVALID_ARGUMENT: 3, FAILED_PRECONDITION: 9 };

async function radio(t: Test, args: string[] = []) {
  const service = await startRadioControl(t, args);
  const client = new RadioClient(service.target);
  t.teardown(() => client.close());
  return client;
}

/** Frequencies of the first reads of an inventory. */
async function frequencies(t: Test, client: RadioClient): Promise<Set<number>> {
  const stream = client.streamReads({});
  stream.on('error', () => {});
  await new Promise((resolve) => stream.once('metadata', resolve));
  const batch = new Promise<ReadBatch>((resolve) => stream.once('data', resolve));
  await client.startInventory({ plan: {} });
  const { reads } = await batch;
  await client.stopInventory();
  stream.cancel();
  t.ok(reads.length > 0);
  return new Set(reads.map(({ frequencyKhz }) => frequencyKhz ?? 0));
}

t.test('a simulated radio', async (t) => {
  const client = await radio(t);
  const before = await client.listRegions();

  t.test('has the region of its scenario, and knows all others', async (t) => {
    t.equal(before.region, (await client.getCapabilities()).region);
    t.ok(before.regions.length > 15);
    const fcc = before.regions.find(({ name }) => name === 'fcc');
    t.match(fcc, { hopping: true, listens: false, maxEirpCdbm: 3600 });
    t.equal(fcc?.channelsKhz?.length, 50);
    t.match(
      before.regions.find(({ name }) => name === 'japan'),
      { listens: true },
    );
  });

  t.test('reads on the channels of another one', async (t) => {
    await client.setRegion({ region: 'etsi-lower' });
    const { region, channelsKhz } = await client.listRegions();
    t.equal(region, 'etsi-lower');
    t.same(channelsKhz, [865_700, 866_300, 866_900, 867_500]);
    t.match(await client.getCapabilities(), {
      region: 'etsi-lower',
      maxEirpCdbm: 3515,
      channelWidthKhz: 200,
    });
    for (const khz of await frequencies(t, client)) t.ok(channelsKhz.includes(khz), `${khz}`);
  });

  t.test('reads on some of the channels only', async (t) => {
    await client.setRegion({ region: 'etsi-lower', channelsKhz: [866_900] });
    t.same([...(await frequencies(t, client))], [866_900]);
    t.same((await client.listRegions()).channelsKhz, [866_900]);
  });

  t.test('refuses what it cannot keep, and stays as it was', async (t) => {
    const present = await client.listRegions();
    const cases: [object, RegExp][] = [
      [{ region: 'utopia' }, /region: "utopia" is not one of australia, /],
      [{ region: 'fcc', channelsKhz: [866_300] }, /channels_khz: 866300 is not one of/],
      [{ region: 'fcc', channelsKhz: [902_750] }, /channels_khz: has 1 of 50 channels/],
    ];
    for (const [request, details] of cases) {
      await t.rejects(client.setRegion(request), { code: CODES.INVALID_ARGUMENT, details });
    }
    await client.startInventory({ plan: {} });
    await t.rejects(client.setRegion({ region: 'fcc' }), {
      code: CODES.FAILED_PRECONDITION,
      details: /stop it first/,
    });
    await client.stopInventory();
    t.same(await client.listRegions(), present);
  });

  t.test('keeps the inputs as they were told', async () => {
    await client.setInput({ port: 1, high: false });
    await client.setRegion({ region: 'fcc' });
    const plan = { start: { inputs: [{ port: 1, high: true }] } };
    await client.startInventory({ plan });
    const waits = async () => (await client.getStatus()).waiting;
    await until('the input is waited for', waits);
    await client.setInput({ port: 1, high: true });
    await until('reading', async () => !(await waits()));
    await client.stopInventory();
  });
});
