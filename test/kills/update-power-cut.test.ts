import t from 'tap';
import { killsOf } from '../delivery/killing.js';
import { cutPowerOfUpdates } from '../gateway/power-cuts.js';

t.test('after a cut the device is on the old or on the new version, and whole', async (t) => {
  const phases = await cutPowerOfUpdates(t, killsOf(50));
  t.ok(phases.length >= 3, `in several phases: ${phases}`);
});
