/** From the air time of a read to a subscriber of a broker, and what it costs both services. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Accounts } from './accounts.js';
import type { Broker } from './broker.js';
import { LatencyRig, WARM_UP_SECONDS } from './latency-rig.js';
import type { Percentiles } from './latency-samples.js';
import { cpuUs } from './process-figures.js';

const SECONDS = 9;

export interface LatencyRun extends Percentiles {
  readsPerSecond: number;
  /** CPU time of both services over wall time. */
  cpuShare: number;
}

export async function latency(
  broker: Broker,
  readsPerSecond: number,
  accounts: Accounts,
): Promise<LatencyRun> {
  const rig = await LatencyRig.start(broker, readsPerSecond, SECONDS);
  const { reader, samples } = rig;
  try {
    await sleep(WARM_UP_SECONDS * 1000);
    samples.clear();
    const busy = () => cpuUs(reader.radioPid) + cpuUs(reader.gatewayPid);
    const [cpu, started] = [busy(), performance.now()];
    // The services are looked at while reads come all the time.
    await sleep((SECONDS - WARM_UP_SECONDS - 0.5) * 1000);
    const cpuShare = (busy() - cpu) / 1000 / (performance.now() - started);
    await rig.end(`latency at ${readsPerSecond} reads/s`, accounts);
    return { readsPerSecond, ...samples.percentiles(), cpuShare };
  } finally {
    await rig.close();
  }
}
