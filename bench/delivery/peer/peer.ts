/**
 * The gateway and Node-RED do the same with the same reads, for the same receiver. A real broker and
 * its subscriber would cost as much as the gateway, and be the bottleneck of the faster side alone.
 */
import { inTurns, type Sample } from '../../measure.js';
import type { Accounts } from '../accounts.js';
import { OurSide } from '../our-side.js';
import { BenchReader } from '../reader.js';
import { openMqttSink } from '../sinks/mqtt-sink.js';
import { KEEP_ALL } from '../throughput.js';
import { transportNamed } from '../transports.js';
import { NodeRedSide } from './node-red-side.js';

const ROUNDS = 3;
const READS = 100_000;
/** Node-RED takes as long for them. */
const PEER_READS = 30_000;

export interface PeerComparison {
  version: string;
  ours: Sample;
  nodeRed: Sample;
}

export async function peer(accounts: Accounts): Promise<PeerComparison> {
  const nodeRedSink = await openMqttSink();
  const nodeRed = await NodeRedSide.start(nodeRedSink);
  const reader = await BenchReader.start({ reads: READS, spacingNs: 1000, paced: false });
  const sink = await openMqttSink();
  try {
    const transport = transportNamed('mqtt_qos0');
    const options = { retention: KEEP_ALL };
    const ours = await OurSide.open(reader, transport, 'over Node-RED', sink, options);
    const samples = await inTurns(ROUNDS, {
      nodeRed: () => nodeRed.run(PEER_READS),
      ours: () => ours.run(READS, accounts),
    });
    return { version: nodeRed.version, ...samples };
  } finally {
    await Promise.all([nodeRed.stop(), reader.stop()]);
    await Promise.all([nodeRedSink.close(), sink.close()]);
  }
}
