import t from 'tap';
import { named, runMode } from './on-air.js';

t.test('antennas are visited in the order of the mode, each with its power', async (t) => {
  const run = await runMode(
    {
      type: 'CUSTOM',
      antennas: [3, 1],
      transmitPower: [20, 30],
      query: { session: 'S0' },
      reportFilter: { duration: 0, type: 'RADIO_WIDE' },
      tagMetaData: ['ANTENNA', 'RSSI'],
    },
    { cycles: 2 },
  );
  const carriers = run.packets.filter(({ kind }) => kind === 'carrierOn');
  t.same(
    carriers.map(({ antenna }) => antenna),
    [3, 1, 3, 1],
  );
  t.equal(run.events.length, 40, 'ten tags, two antennas, two cycles');
  const mean = (antenna: number) => {
    const own = run.events.filter(({ data }) => data.antenna === antenna);
    return own.reduce((sum, { data }) => sum + data.peakRssi, 0) / own.length;
  };
  const difference = mean(1) - mean(3);
  t.ok(Math.abs(difference - 10) < 0.6, `10 dB more power are 10 dB more RSSI: ${difference}`);
});

t.test('one power for all antennas, and 27 dBm by default', async (t) => {
  const power = async (mode: object) =>
    (await runMode({ type: 'SIMPLE', ...mode })).compiled.plan.antennas?.map(
      ({ transmitPowerCdbm }) => transmitPowerCdbm,
    );
  t.same(await power({ transmitPower: 25.5 }), [2550, 2550, 2550, 2550]);
  t.same(await power({}), [2700, 2700, 2700, 2700]);
});

t.test('without antennas all of them are used', async (t) => {
  const { commands } = await runMode({ type: 'SIMPLE' }, { ports: [2, 5, 7] });
  t.same([...new Set(named(commands, 'Query').map(({ antenna }) => antenna))], [2, 5, 7]);
});
