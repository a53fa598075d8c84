/**
 * The way of a read, stage by stage, each over the floor of the same machine in the same run:
 * a bare addon batch call, a bare grpc-js stream of the same messages, bare JSON.stringify of
 * the same events. And: what is lost at a paced 100,000 reads/s.
 */
import type { BenchResult } from '../main.js';
import { inTurns, type Sample } from '../measure.js';
import { StreamSide } from './stream-side.js';
import { toJs } from './to-js.js';
import { tagEventFloor, toTagEvents } from './to-tag-events.js';

const STREAM_READS = 500_000;
const ROUNDS = 5;

const PACED_READS_PER_SECOND = 100_000;
const PACED_SECONDS = 10;

export async function pipeline(): Promise<BenchResult> {
  const js = await toJs();
  const stream = await grpcAndJson();
  const paced = await pacedRun();

  const row = (stage: string, ours: Sample, floor: Sample) => ({
    stage,
    reads_per_second: Math.round(ours.perSecond),
    floor_per_second: Math.round(floor.perSecond),
    cpu_us_per_read: Number(ours.cpuUs.toFixed(3)),
    floor_cpu_us: Number(floor.cpuUs.toFixed(3)),
    over_floor: Number((ours.perSecond / floor.perSecond).toFixed(3)),
  });
  return {
    bench: 'pipeline',
    rows: [
      row('native queue to JS objects', js.pipeline, js.floor),
      row('native queue to a gRPC subscriber', stream.grpc, stream.grpcFloor),
      row('native queue to JSON tag events', stream.json, stream.jsonFloor),
      {
        stage: `paced at ${PACED_READS_PER_SECOND} reads/s for ${PACED_SECONDS} s, to gRPC`,
        reads_per_second: Math.round(paced.perSecond),
        cpu_us_per_read: Number(paced.cpuUs.toFixed(3)),
      },
    ],
    ratios: {
      js_over_floor: js.pipeline.perSecond / js.floor.perSecond,
      grpc_over_floor: stream.grpc.perSecond / stream.grpcFloor.perSecond,
      json_over_floor: stream.json.perSecond / stream.jsonFloor.perSecond,
      dropped: paced.lost,
    },
  };
}

async function grpcAndJson() {
  const floorSide = await StreamSide.open('floor', STREAM_READS, 1000);
  const ours = await StreamSide.open('fast', STREAM_READS, 1000);
  try {
    const whole = async (side: StreamSide, onBatch?: Parameters<StreamSide['run']>[0]) => {
      const run = await side.run(onBatch);
      if (run.lost !== 0) throw new Error(`${run.lost} of ${STREAM_READS} reads were lost`);
      return run;
    };
    return await inTurns(ROUNDS, {
      grpcFloor: () => whole(floorSide),
      grpc: () => whole(ours),
      jsonFloor: () => tagEventFloor(),
      json: () => whole(ours, toTagEvents()),
    });
  } finally {
    floorSide.close();
    ours.close();
  }
}

/** Reads lost anywhere between the radio thread and the subscriber, and what the pace costs. */
async function pacedRun() {
  const reads = PACED_READS_PER_SECOND * PACED_SECONDS;
  const side = await StreamSide.open('paced', reads, 1e9 / PACED_READS_PER_SECOND);
  try {
    return await side.run();
  } finally {
    side.close();
  }
}
