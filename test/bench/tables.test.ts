import t from 'tap';
import { computeTableB, simulateTableA } from '../../bench/tables/tables.js';

t.test('simulated slot efficiencies agree with the reference for every algorithm', async (t) => {
  // Few runs: chance alone makes up to a percent and a half. The bench itself runs more.
  for (const row of simulateTableA(400)) {
    t.ok(
      Math.abs(row.over_reference - 1) < 0.02,
      `${row.algorithm}, ${row.tags} tags: ${row.efficiency}, reference ${row.reference}`,
    );
  }
});

t.test('the best frame by the number of tags is exactly that of the formula', async (t) => {
  for (const row of computeTableB()) {
    t.equal(row.crossing, row.reference_crossing, `frame of ${row.frame} slots`);
    // The paper prints 11357 where its own formula gives 11356.48.
    t.equal(row.up_to, row.frame === 8192 ? 11356 : row.paper, `up to, ${row.frame} slots`);
  }
});
