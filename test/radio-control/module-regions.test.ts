/** Regions of a module that numbers them in its own way. */
import t from 'tap';
import type { NativeRegion } from '../../src/radio-control/addon/addon.js';
import { ModuleRegions } from '../../src/radio-control/module/module-regions.js';

function moduleWith(region: NativeRegion | null) {
  const told: [number, readonly number[]][] = [];
  const radio = {
    region: () => region,
    setRegion: async (number: number, channelsKhz: readonly number[]) => {
      told.push([number, channelsKhz]);
    },
  };
  return { told, regions: new ModuleRegions(radio, { away: '' }) };
}

t.test('what a number means the driver of the module says', async (t) => {
  const { told, regions } = moduleWith({
    present: 8,
    name: 'japan',
    supported: [
      { number: 8, name: 'japan' },
      { number: 1, name: 'korea' },
      { number: 2, name: 'fcc' },
      { number: 3, name: '' },
      { number: 4, name: 'far-away' },
    ],
  });
  const { region, regions: listed } = regions.list();
  t.equal(region, 'japan');
  t.same(
    listed?.map(({ name }) => name),
    ['fcc', 'japan', 'korea'],
    'those that the reader knows',
  );
  t.equal(regions.site?.region, 'japan');
  await regions.set('fcc', []);
  await regions.set('korea', []);
  t.same(told, [
    [2, []],
    [1, []],
  ]);
  await t.rejects(regions.set('china', []), { code: 'INVALID' });
});

t.test('a region without a name of ours is none that is known', async (t) => {
  const { regions } = moduleWith({ present: 1, name: '', supported: [{ number: 1, name: '' }] });
  t.match(regions.list(), { region: '', regions: [], channelsKhz: [] });
  t.equal(regions.site, undefined);
  t.match(moduleWith(null).regions.list(), { region: '', regions: [] });
  t.end();
});
