/** All that a fault may lay hands on. */
import type { Clock, Disk } from './machine.js';
import type { Random } from './random.js';
import type { Reader } from './reader.js';
import type { Sinks, Stage } from './sinks.js';

export interface Scene {
  reader: Reader;
  sinks: Sinks;
  disk: Disk;
  clock: Clock;
  random: Random;
  stage: Stage;
}

export interface Fault {
  name: string;
  /** How often it is chosen, beside others. */
  weight: number;
  /** What a QoS 0 connection had written may be lost with it: the kernel, or the process, had it. */
  breaksQos0?: true;
  /** The gateway could not say any more what had arrived: it may tell such as lost. */
  killsGateway?: true;
  /** Left out where the machine does not have it. */
  needs?: 'disk' | 'clock';
  /** @returns when it is over; what it did in particular. */
  run(scene: Scene): Promise<string>;
}
