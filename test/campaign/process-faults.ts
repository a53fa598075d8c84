/** Processes that are killed, or stand still. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Service } from './reader.js';
import type { Fault, Scene } from './scene.js';
import { all } from './sinks.js';

/** The beat of the services is watched: who stands for 20 s is started again. */
const PAUSES_MS = [1000, 12_000] as const;

function kill(name: string, services: Service[], weight: number): Fault {
  const killsGateway = services.includes('reader-gateway');
  return {
    name,
    weight,
    ...(killsGateway ? { killsGateway, breaksQos0: true } : {}),
    async run({ reader }) {
      reader.kill(...services);
      return '';
    },
  };
}

function pause(whom: Service | 'command', weight: number): Fault {
  return {
    name: `SIGSTOP of ${whom}`,
    weight,
    async run({ reader, random }) {
      const ms = random.between(...PAUSES_MS);
      await reader.pause(whom, ms);
      return seconds(ms);
    },
  };
}

export const PROCESS_FAULTS: readonly Fault[] = [
  kill('kill -9 of radio-control', ['radio-control'], 4),
  kill('kill -9 of reader-gateway', ['reader-gateway'], 4),
  kill('kill -9 of both services', ['radio-control', 'reader-gateway'], 2),
  {
    name: 'kill -9 of the command',
    weight: 1,
    // The services have a few seconds for an orderly end, which may be too few for all.
    breaksQos0: true,
    killsGateway: true,
    async run({ reader }) {
      await reader.killCommand();
      await reader.begin();
      return '';
    },
  },
  {
    name: 'power cut',
    weight: 3,
    breaksQos0: true,
    killsGateway: true,
    async run({ reader }) {
      await reader.powerCut();
      await reader.begin();
      return '';
    },
  },
  {
    name: 'power cut with all endpoints away',
    weight: 1,
    breaksQos0: true,
    killsGateway: true,
    run: (scene) =>
      away(scene, async ({ reader }) => {
        await reader.powerCut();
        await reader.begin();
      }),
  },
  {
    name: 'kill -9 of reader-gateway with all endpoints away',
    weight: 1,
    breaksQos0: true,
    killsGateway: true,
    run: (scene) => away(scene, async ({ reader }) => reader.kill('reader-gateway')),
  },
  pause('radio-control', 2),
  pause('reader-gateway', 3),
  pause('command', 1),
];

/** While nobody can be reached. */
async function away(scene: Scene, what: (scene: Scene) => Promise<void>): Promise<string> {
  const sinks = all(scene.sinks);
  const ms = scene.random.between(1000, 4000);
  for (const sink of sinks) sink.close();
  await sleep(ms);
  await what(scene);
  await sleep(ms);
  for (const sink of sinks) await sink.open();
  return seconds(2 * ms);
}

/** For people. */
export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
