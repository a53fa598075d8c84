/** A full disk, and a clock that is set. */
import { setTimeout as sleep } from 'node:timers/promises';
import { seconds } from './process-faults.js';
import type { Fault, Scene } from './scene.js';

const FULL_MS = [1000, 5000] as const;
const REFILL_MS = 200;
const DAY_S = 86_400;

/** What is written over meanwhile would leave room again. */
async function full(
  { disk, random }: Scene,
  what: () => Promise<void> = async () => {},
): Promise<string> {
  const ms = random.between(...FULL_MS);
  try {
    const refill = async (until: number) => {
      while (performance.now() < until) {
        disk.fill();
        await sleep(REFILL_MS);
      }
    };
    await refill(performance.now() + ms);
    await what();
    await refill(performance.now() + ms);
  } finally {
    disk.free();
  }
  return seconds(2 * ms);
}

export const MACHINE_FAULTS: readonly Fault[] = [
  { name: 'disk full', weight: 2, needs: 'disk', run: (scene) => full(scene) },
  {
    name: 'kill -9 of reader-gateway on a full disk',
    weight: 3,
    needs: 'disk',
    breaksQos0: true,
    killsGateway: true,
    run: (scene) => full(scene, async () => scene.reader.kill('reader-gateway')),
  },
  {
    name: 'kill -9 of radio-control on a full disk',
    weight: 1,
    needs: 'disk',
    run: (scene) => full(scene, async () => scene.reader.kill('radio-control')),
  },
  {
    name: 'the clock is set',
    weight: 4,
    needs: 'clock',
    async run({ clock, random }) {
      const step = Math.round(random.between(-DAY_S, 2 * DAY_S));
      clock.step(step);
      // The library looks once a second.
      await sleep(1500);
      return `${(step / 3600).toFixed(1)} h`;
    },
  },
];
