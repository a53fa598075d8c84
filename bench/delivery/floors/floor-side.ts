/** One floor: its process, and the sink that counts what it sends. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Sample } from '../../measure.js';
import { EventCounter } from '../event-counter.js';
import { cpuUs } from '../process-figures.js';
import type { Sink } from '../sinks/sink.js';
import type { FloorTask } from './floor.js';

export class FloorSide {
  private constructor(
    readonly child: ChildProcess,
    readonly port: number,
    readonly eventsPerMessage: number,
  ) {}

  static async open(task: FloorTask): Promise<FloorSide> {
    const script = fileURLToPath(new URL('./floor-child.js', import.meta.url));
    const child = fork(script, [JSON.stringify(task)]);
    const [{ port, eventsPerMessage }] = (await once(child, 'message')) as [FloorSide];
    return new FloorSide(child, port, eventsPerMessage);
  }

  /** Sends at least so many events to the sink. */
  async run(sink: Sink, atLeast: number): Promise<Sample & { bytesPerEvent: number }> {
    const events = Math.ceil(atLeast / this.eventsPerMessage) * this.eventsPerMessage;
    const counter = new EventCounter(false);
    sink.counter = counter;
    const pid = this.child.pid as number;
    const before = cpuUs(pid);
    const sent = once(this.child, 'message');
    this.child.send(events);
    await Promise.all([counter.until(events), sent]);
    const cpu = cpuUs(pid) - before;
    if (counter.received !== events) {
      throw new Error(`the floor's ${events} events came as ${counter.received}`);
    }
    return {
      perSecond: counter.perSecond,
      cpuUs: cpu / events,
      bytesPerEvent: counter.bytes / events,
    };
  }

  close(): void {
    this.child.disconnect();
  }
}
