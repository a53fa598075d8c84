/** Tag events on their way out: each transport over the bare library. */
import type { BenchResult } from '../main.js';
import { Accounts } from './our-side.js';
import { throughput } from './throughput.js';

export async function delivery(): Promise<BenchResult> {
  const accounts = new Accounts();
  const comparisons = await throughput(accounts);
  const ratios: Record<string, number> = {};
  const rows = comparisons.map(({ transport, shape, ours, floor, jsonFloor }) => {
    const over = ours.perSecond / floor.perSecond;
    ratios[`${transport}_${shape}_over_floor`] = over;
    return {
      what: `${transport}, ${shape}`,
      events_per_second: Math.round(ours.perSecond),
      floor_per_second: Math.round(floor.perSecond),
      cpu_us_per_event: Number(ours.cpuUs.toFixed(2)),
      floor_cpu_us: Number(floor.cpuUs.toFixed(2)),
      over_floor: Number(over.toFixed(3)),
      over_floor_with_json: Number((ours.perSecond / jsonFloor.perSecond).toFixed(3)),
    };
  });
  return { bench: 'delivery', rows, ratios: { ...ratios, unaccounted: accounts.unaccounted } };
}
