import t from 'tap';
import { cutPowerOfUpdates } from './power-cuts.js';

t.test('after a cut the device is on the old or on the new version, and whole', async (t) => {
  const phases = await cutPowerOfUpdates(t, 12);
  t.ok(phases.length >= 2, `in several phases: ${phases}`);
});
