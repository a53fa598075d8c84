import t from 'tap';
import { named, runMode } from './on-air.js';

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
