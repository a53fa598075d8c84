/** Cable loss compensation, and what it makes of the power that is asked of the radio. */
import t from 'tap';
import { cableLossDb } from '../../src/reader-gateway/mode/cable-loss.js';
import { compileMode } from '../../src/reader-gateway/mode/compile.js';
import { FAKE_CAPABILITIES } from './fake-radio.js';
import { TestReader } from './reader.js';

const NO_CABLE = { cableLength: 0, cableLossPerHundredFt: 0 };
const PATH = 'cableLossCompensation';

// biome-ignore lint/suspicious/noExplicitAny: plans as the radio gets them
const powers = (plan: any): number[] => plan.antennas.map((one: any) => one.transmitPowerCdbm);

t.test('the loss is that of the whole cable', async (t) => {
  t.equal(cableLossDb({ cableLength: 50, cableLossPerHundredFt: 6 }), 3);
  t.equal(cableLossDb({ cableLength: 12.5, cableLossPerHundredFt: 4 }), 0.5);
});

t.test('the port sends so much more, up to what radio and reader have', async (t) => {
  const portPowers = (mode: object, losses: number[], facts = {}) => {
    const radio = { ...FAKE_CAPABILITIES, ...facts };
    const result = compileMode({ type: 'SIMPLE', ...mode }, radio, (port) => losses[port - 1] ?? 0);
    if (!result.ok) throw new Error(JSON.stringify(result.violations));
    return powers(result.value.plan);
  };
  t.same(portPowers({ transmitPower: 20 }, [1.5, 0, 2.25, 20]), [2150, 2000, 2225, 3000]);
  t.same(portPowers({ antennas: [3, 1], transmitPower: [20, 25] }, [1, 0, 3]), [2300, 2600]);
  const region = { region: 'somewhere', maxEirpCdbm: 3300 };
  t.same(portPowers({ transmitPower: 27 }, [2, 2, 2, 2], region), [2900, 2900, 2900, 2900]);
  const above = compileMode(
    { type: 'SIMPLE', transmitPower: 28 },
    { ...FAKE_CAPABILITIES, ...region },
    () => 2,
  );
  t.match(above, { ok: false }, 'the limit of the region is that after the cable');
});

t.test('a reader', async (t) => {
  const first = await TestReader.start(t);
  let reader = first;
  t.teardown(() => reader.gateway.stop());
  const get = async () => (await reader.call('GET', PATH)).json;
  const fake = () => reader.radio;

  t.test('has no cables until it is told', async (t) => {
    t.same(await get(), { 1: NO_CABLE, 2: NO_CABLE, 3: NO_CABLE, 4: NO_CABLE });
  });

  t.test('takes one cable for all ports, and cables of single ports', async (t) => {
    const all = { cableLength: 25, cableLossPerHundredFt: 4 };
    t.match(await reader.call('PUT', PATH, all), { status: 200, text: '' });
    t.same(await get(), { 1: all, 2: all, 3: all, 4: all });
    const third = { cableLength: 100.5, cableLossPerHundredFt: 2 };
    t.match(await reader.call('PUT', PATH, { 3: third }), { status: 200 });
    t.same(await get(), { 1: all, 2: all, 3: third, 4: all });
  });

  t.test('starts with the power that the cables need', async (t) => {
    await reader.call('PUT', 'mode', { type: 'SIMPLE', transmitPower: 20 });
    t.equal((await reader.call('PUT', 'start')).status, 200);
    t.same(powers(fake().starts.at(-1)?.plan), [2100, 2100, 2201, 2100]);
  });

  t.test('takes other cables into account while it reads', async (t) => {
    t.match(await reader.call('PUT', PATH, { 1: NO_CABLE }), { status: 200 });
    t.same(powers(fake().changes.at(-1)), [2000, 2100, 2201, 2100]);
  });

  t.test('keeps the old cables if the radio refuses the new power', async (t) => {
    const before = await get();
    fake().refuses = 'no';
    const refused = await reader.call('PUT', PATH, { 2: NO_CABLE });
    fake().refuses = '';
    t.not(refused.status, 200);
    t.same(await get(), before);
  });

  t.test(
    'refuses what is no cable with 422 that names the port and the field, and changes nothing',
    async (t) => {
      const before = await get();
      const cases: [object, RegExp][] = [
        [{}, /cable/],
        [{ cableLength: 5 }, /^cableLossPerHundredFt: is required$/],
        [
          { cableLength: -1, cableLossPerHundredFt: 1 },
          /^cableLength: -1 is below the minimum of 0$/,
        ],
        [{ cableLength: '5', cableLossPerHundredFt: 1 }, /^cableLength: "5" is not a number$/],
        [{ 9: NO_CABLE }, /9/],
        [{ 1: { cableLength: 1 } }, /^\[1\]\.cableLossPerHundredFt: is required$/],
        [{ 1: NO_CABLE, nonsense: NO_CABLE }, /^nonsense: /],
      ];
      for (const [body, message] of cases) {
        t.match(
          await reader.call('PUT', PATH, body),
          { status: 422, json: { code: 1, message } },
          JSON.stringify(body),
        );
      }
      t.same(await get(), before);
    },
  );

  t.test('knows them after a restart', async (t) => {
    const before = await get();
    await reader.gateway.stop();
    reader = await TestReader.start(t, { stateDir: first.stateDir, radio: first.radio });
    t.same(await get(), before);
  });
});
