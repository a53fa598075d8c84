/**
 * Tag events on their way out: each transport over the bare library that sends the same bytes, the
 * time from the air to a subscriber, the backlog of an outage, and a named peer.
 *
 * Both sides get tag events that are ready. The floor joins their texts to the same bytes and hands
 * them to the bare library; ours does what delivery is: numbers, retention, batches, the transport,
 * and the replay buffer of the streams. In columns of their own: ours over the library with whole
 * messages that are ready, which costs nothing at all for each event; and the whole gateway, which
 * takes reads from radio-control and makes the events of them before.
 */
import type { BenchResult } from '../main.js';
import type { Sample } from '../measure.js';
import { Accounts } from './accounts.js';
import { BACKLOG_EVENTS, type Backlog, backlog } from './backlog.js';
import { Broker } from './broker.js';
import { type LatencyRun, latency } from './latency.js';
import { type PeerComparison, peer } from './peer/peer.js';
import { type BesideStalled, besideStalled } from './stalled.js';
import { type Comparison, throughput } from './throughput.js';

type Row = Record<string, string | number>;

const READ_RATES = [200, 1300, 10_000];
/** Of a busy dock door; the rate that the targets are for. */
const TYPICAL_RATE = 1300;

export async function delivery(): Promise<BenchResult> {
  const accounts = new Accounts();
  // First: a process that has seen millions of events would be a slow subscriber.
  const { runs, beside, broker } = await latencies(accounts);
  const comparisons = await throughput(accounts);
  const backlogged = await backlog(accounts);
  const compared = await peer(accounts);
  const typical = runs.find((run) => run.readsPerSecond === TYPICAL_RATE) as LatencyRun;
  return {
    bench: 'delivery',
    rows: [
      ...comparisons.map(transportRow),
      backlogRow(backlogged),
      ...peerRows(compared),
      ...runs.map((run) => latencyRow(run, broker)),
      stalledRow(beside),
    ],
    ratios: {
      ...Object.fromEntries(
        comparisons.map((one) => [
          `${one.transport}_${one.shape}_over_floor`,
          one.ours.perSecond / one.floor.perSecond,
        ]),
      ),
      over_node_red: compared.ours.perSecond / compared.nodeRed.perSecond,
      p99_ms_1300: typical.p99,
      cpu_share_1300: typical.cpuShare,
      stalled_p99_over_p99_1300: beside.beside / beside.alone,
      unaccounted: accounts.unaccounted,
    },
  };
}

async function latencies(accounts: Accounts) {
  const broker = await Broker.start();
  try {
    const runs: LatencyRun[] = [];
    for (const rate of READ_RATES) runs.push(await latency(broker, rate, accounts));
    const beside = await besideStalled(broker, TYPICAL_RATE, accounts);
    return { runs, beside, broker: broker.kind };
  } finally {
    await broker.stop();
  }
}

function transportRow({ transport, shape, ours, gateway, floor, readyFloor }: Comparison): Row {
  return {
    what: `${transport}, ${shape}`,
    ...rate(ours),
    floor_per_second: Math.round(floor.perSecond),
    floor_cpu_us: rounded(floor.cpuUs),
    over_floor: rounded(ours.perSecond / floor.perSecond),
    over_ready_messages: rounded(ours.perSecond / readyFloor.perSecond),
    gateway_per_second: Math.round(gateway.perSecond),
    gateway_cpu_us: rounded(gateway.cpuUs),
    gateway_over_floor: rounded(gateway.perSecond / floor.perSecond),
  };
}

function backlogRow({ perSecond, cpuUs, bytesPerEvent, residentBytes }: Backlog): Row {
  return {
    what: `backlog of ${BACKLOG_EVENTS} events to mqtt_qos0`,
    ...rate({ perSecond, cpuUs }),
    bytes_per_event: Math.round(bytesPerEvent),
    resident_mb: Math.round(residentBytes / 1e6),
  };
}

function peerRows({ ours, nodeRed, version }: PeerComparison): Row[] {
  return [
    { what: 'mqtt_qos0, to compare with a peer', ...rate(ours) },
    { what: `the same by Node-RED ${version}`, ...rate(nodeRed) },
  ];
}

function latencyRow({ readsPerSecond, p50, p99, p999, cpuShare }: LatencyRun, broker: string): Row {
  return {
    what: `air to subscriber by ${broker} at ${readsPerSecond} reads/s`,
    p50_ms: rounded(p50),
    p99_ms: rounded(p99),
    p999_ms: rounded(p999),
    cpu_share: rounded(cpuShare),
  };
}

function stalledRow({ readsPerSecond, alone, beside }: BesideStalled): Row {
  return {
    what: `the same at ${readsPerSecond} beside a stalled subscriber, in turns`,
    p99_ms: rounded(beside),
    p99_ms_alone: rounded(alone),
  };
}

function rate({ perSecond, cpuUs }: Sample): Row {
  return { events_per_second: Math.round(perSecond), cpu_us_per_event: rounded(cpuUs) };
}

function rounded(value: number): number {
  return Number(value.toFixed(3));
}
