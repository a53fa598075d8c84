import t from 'tap';
import { ratios } from '../../bench/air/air.js';
import type { AirRow, Policy } from '../../bench/air/measure-air.js';
import { plotAir } from '../../bench/air/plot-air.js';

function row(policy: Policy, tags: number, tagsPerSecond: number): AirRow {
  return {
    profile: 'M4-250',
    tags,
    policy,
    seeds: 1,
    tags_per_second: tagsPerSecond,
    ceiling: 200,
    over_ceiling: tagsPerSecond / 200,
    empty: 1,
    single: 1,
    collided: 1,
    slot_efficiency: 0.33,
    s50: 1,
    s90: 2,
    s99: 3,
    s100: 4,
    times_real_time: 100,
    singulations_per_cpu_second: 1e6 + tags,
    bytes_per_tag: 300,
  };
}

const ROWS = [10, 100, 1_000, 10_000].flatMap((tags) => [
  row('adaptive', tags, tags === 10 ? 100 : 190),
  row('known-population', tags, 195),
  row('q-algorithm', tags, tags === 100 ? 178 : 184),
]);

t.test('the ratios leave out populations below 100', async (t) => {
  const made = ratios(ROWS);
  t.equal(made.adaptive_over_ceiling_min, 0.95);
  t.equal(made.adaptive_over_ceiling_max, 0.95);
  t.equal(made.adaptive_over_known_min, 190 / 195);
  t.equal(made.plain_q_over_ceiling_min, 0.89);
  t.equal(made.plain_q_over_ceiling_max, 0.92);
  t.equal(made.singulations_per_cpu_second_1000, 1_001_000);
  t.equal(made.singulations_per_cpu_second_10000, 1_010_000);
});

t.test('the picture has a panel for each population and a mark for each row', async (t) => {
  const svg = plotAir(ROWS);
  t.match(svg, /^<svg .*<\/svg>\n$/s);
  t.equal(svg.match(/rate over the ceiling/g)?.length, 4);
  t.equal(svg.match(/<title>/g)?.length, ROWS.length);
});
