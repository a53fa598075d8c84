import t from 'tap';
import { loadAddon } from '../../src/radio-control/addon/addon.js';
import { named, options, runMode, violationsOf } from './on-air.js';

t.test('in channels of 200 kHz the fastest link is 426 kHz', async (t) => {
  const mode = { type: 'SIMPLE', environment: 'LOW_INTERFERENCE' };
  const { compiled } = await runMode(mode, { facts: { channelWidthKhz: 200 } });
  t.equal(compiled.plan.linkProfile, 'FM0-426');
});

for (const [environment, linkProfile, coding] of [
  ['LOW_INTERFERENCE', 'FM0-640', 0],
  ['HIGH_INTERFERENCE', 'M4-250', 2],
  ['VERY_HIGH_INTERFERENCE', 'M8-160', 3],
  ['AUTO_DETECT', 'M4-250', 2],
  ['DEMO', 'M2-320', 1],
  [undefined, 'M4-250', 2],
] as const) {
  t.test(`environment ${environment} is ${linkProfile} on the air`, async (t) => {
    const mode = environment === undefined ? { type: 'SIMPLE' } : { type: 'SIMPLE', environment };
    const { compiled, commands, events } = await runMode(mode);
    t.equal(compiled.plan.linkProfile, linkProfile);
    t.equal(named(commands, 'Query')[0]?.coding, coding);
    t.equal(events.length, 10);
  });
}

t.test(
  'linkProfile is the number of a profile of the radio, and wins over environment',
  async (t) => {
    const radio = new (loadAddon().Radio)(options({}));
    const { linkProfileDetails, linkProfiles } = radio.capabilities();
    t.match(linkProfileDetails[1], {
      number: 2,
      name: 'FM0-640',
      miller: 1,
      blfKhz: 640,
      tariUs: 6.25,
      pie: 1.5,
      modulation: 'PR-ASK',
      sensitivityDbm: -82,
    });
    for (const number of [2, 3, linkProfiles.length]) {
      const mode = { type: 'SIMPLE', linkProfile: number, environment: 'DEMO' };
      const { compiled, commands, events } = await runMode(mode);
      const profile = linkProfileDetails[number - 1];
      t.equal(compiled.plan.linkProfile, profile?.name);
      t.equal(2 ** (named(commands, 'Query')[0]?.coding ?? 9), profile?.miller, 'on the air');
      t.equal(events.length, 10);
      t.same(compiled.ignored, [
        { field: 'environment', message: 'has no effect beside linkProfile' },
      ]);
    }
  },
);

t.test('linkProfile is refused where the radio or the region has none', async (t) => {
  const last = new (loadAddon().Radio)(options({})).capabilities().linkProfiles.length;
  t.same(violationsOf({ type: 'SIMPLE', linkProfile: last + 1 }), [
    `linkProfile: ${last + 1} is no link profile of this radio; allowed: 1..${last} ` +
      '(readerCapabilities tells them)',
  ]);
  const narrow = { facts: { channelWidthKhz: 200 } };
  t.match(violationsOf({ type: 'SIMPLE', linkProfile: 2 }, narrow), [
    /^linkProfile: 2 \(FM0-640\) is too fast for channels of 200 kHz; allowed: 1, 4\.\.9, 11/,
  ]);
  t.same(violationsOf({ type: 'SIMPLE', linkProfile: 4 }, narrow), []);
});

t.test('a recording has its own link, whatever a mode says', async (t) => {
  const features = [{ field: 'link_profile', support: 1 }];
  const facts = { features, linkProfiles: ['M4-250'] };
  const { compiled } = await runMode({ type: 'SIMPLE', environment: 'DEMO' }, { facts });
  t.match(compiled.ignored, [{ field: 'environment', message: /recording/ }]);
});
