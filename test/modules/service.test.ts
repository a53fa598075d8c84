/** radio-control on a radio module behind a serial line. */
import t from 'tap';
import { RadioState, ReportFilter } from '../../src/contract/messages.js';
import { counterToNumber } from '../../src/contract/time.js';
import { emulated, epcOf, linePath, listen, radioOn, until } from './emulated.js';

const CODES = { INVALID_ARGUMENT: 3, FAILED_PRECONDITION: 9, UNAVAILABLE: 14 };

for (const [profile, model] of [
  ['m7e', 'M7e Hecto'],
  ['m6e', 'M6e'],
  ['nano', 'M6e Nano'],
] as const) {
  t.test(`tags are read through ${profile}, and what it says of itself is passed on`, async (t) => {
    const { path } = await emulated(t, { profile });
    const { client } = await radioOn(t, path);
    await until(
      async () => (await client.getStatus()).state === RadioState.RADIO_STATE_IDLE,
      'the module is connected',
    );
    t.match(await client.getCapabilities(), {
      module: 'mercury',
      model,
      firmware: '1.9.2.3',
      antennas: [1, 2, 3, 4],
    });
    await until(
      async () => (await client.getStatus()).temperatureCelsius !== null,
      'the module was asked how it is',
    );
    t.match(await client.getStatus(), {
      link: { path, connected: true, fault: '' },
      temperatureCelsius: 29,
    });
    const reads = await listen(t, client);
    await client.startInventory({
      plan: { reportFilter: { kind: ReportFilter.Kind.ONCE }, antennas: [{ port: 1 }] },
      owner: 'test',
    });
    t.equal((await client.getStatus()).state, RadioState.RADIO_STATE_READING);
    await until(() => reads.length > 0, 'tags are reported');
    const { counters } = await client.stopInventory();
    t.ok(counterToNumber(counters?.reads) >= reads.length);
    t.equal(counterToNumber(counters?.dropped), 0);
    const epcs = reads.map(epcOf);
    t.equal(new Set(epcs).size, epcs.length, 'each tag is reported once');
    t.ok(reads.every(({ antenna, rssiCdbm }) => antenna === 1 && rssiCdbm < -1000));
    t.equal((await client.getStatus()).state, RadioState.RADIO_STATE_IDLE);
  });
}

t.test('antennas that are pulled are seen', async (t) => {
  const { path, emulator } = await emulated(t);
  const { client } = await radioOn(t, path);
  const connected = async () => {
    const { antennas } = await client.getStatus();
    return antennas.filter((antenna) => antenna.connected).length;
  };
  await until(async () => (await connected()) > 0, 'antennas are there');
  t.ok(emulator.inject('antenna-pulled'));
  await until(
    async () => (await connected()) === 0 && (await client.getStatus()).antennas.length > 0,
    'they are gone',
  );
  t.ok(emulator.inject('antenna-back'));
  await until(async () => (await connected()) > 0, 'they are back');
});

t.test('the region is that of the module, and goes to it by its number', async (t) => {
  const { path, emulator } = await emulated(t);
  const { client } = await radioOn(t, path);
  await until(async () => (await client.listRegions()).region !== '', 'the module is connected');
  const { region, regions } = await client.listRegions();
  t.equal(region, 'fcc');
  t.same(
    regions.map(({ name }) => name),
    ['australia', 'china', 'etsi-lower', 'fcc', 'india', 'japan', 'korea', 'new-zealand'],
    'those that the module keeps',
  );
  await client.setRegion({ region: 'etsi-lower', channelsKhz: [866_300, 866_900] });
  t.match(await client.listRegions(), { region: 'etsi-lower', channelsKhz: [866_300, 866_900] });
  t.match(await client.getCapabilities(), { region: 'etsi-lower', maxEirpCdbm: 3515 });
  t.ok(emulator.inject('reset'), 'a module that forgets it');
  await until(
    async () => counterToNumber((await client.getStatus()).link?.reconnects) > 0,
    'it is found again',
  );
  t.match(await client.listRegions(), { region: 'etsi-lower' }, 'is told again');
  await t.rejects(client.setRegion({ region: 'utopia' }), {
    code: CODES.INVALID_ARGUMENT,
    details: /"utopia" is not one of australia, china/,
  });
  await client.startInventory({ plan: {}, owner: 'test' });
  await t.rejects(client.setRegion({ region: 'fcc' }), { code: CODES.FAILED_PRECONDITION });
});

t.test('a service whose module is not there yet waits for it, and says so', async (t) => {
  const path = linePath(t);
  const { client, service } = await radioOn(t, path);
  await until(
    async () => /No such file/.test((await client.getStatus()).link?.fault ?? ''),
    'it looked for the module',
  );
  t.match(await client.getStatus(), {
    state: RadioState.RADIO_STATE_DISCONNECTED,
    link: { path, connected: false },
  });
  t.match(await client.getCapabilities(), { module: 'mercury', model: '', antennas: [] });
  await t.rejects(client.startInventory({ plan: {}, owner: 'test' }), {
    code: CODES.UNAVAILABLE,
    details: /the radio module is not connected: .*No such file/,
  });
  await t.rejects(client.setRegion({ region: 'fcc' }), { code: CODES.UNAVAILABLE });
  await emulated(t, { path });
  await until(
    async () => (await client.getStatus()).state === RadioState.RADIO_STATE_IDLE,
    'the module is connected',
  );
  t.equal((await client.getCapabilities()).model, 'M7e Hecto');
  const reads = await listen(t, client);
  await client.startInventory({ plan: {}, owner: 'test' });
  await until(() => reads.length > 0, 'tags are read');
  t.equal(service.stderr(), '');
});
