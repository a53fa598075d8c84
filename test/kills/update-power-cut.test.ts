import t from 'tap';
import { killsOf } from '../delivery/killing.js';
import { cutPowerOfUpdates } from '../gateway/power-cuts.js';

t.test('after a cut the device is on the old or on the new version, and whole', async (t) => {
  const cuts = killsOf(50);
  const phases = await cutPowerOfUpdates(t, cuts);
  // A share of them hits fewer.
  t.ok(phases.length >= (cuts === 50 ? 3 : 2), `in several phases: ${phases}`);
});
