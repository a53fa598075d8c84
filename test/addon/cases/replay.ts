/** A recording is played by time, on the ports of the plan, from the beginning at each start. */
import assert from 'node:assert/strict';
import { loadAddon } from '../../../src/radio-control/addon/addon.js';
import { RECORD, RECORD_BYTES } from '../../../src/radio-control/record.js';
import { antenna, plan, runToEnd } from '../field.js';

function recording(): Uint8Array {
  const bytes = Buffer.alloc(90 * RECORD_BYTES);
  for (let i = 0; i < 90; i++) {
    const at = i * RECORD_BYTES;
    bytes.writeBigUInt64LE(BigInt(89 - i) * 1_000_000n, at + RECORD.timeNs);
    bytes.writeInt16LE(-6000, at + RECORD.rssiCdbm);
    bytes[at + RECORD.antenna] = 1 + (i % 3);
    bytes[at + RECORD.epcBytes] = 12;
    bytes.write('30700048440663802E185523', at + RECORD.epc, 'hex');
  }
  return bytes;
}

const { Radio } = loadAddon();
const make = (paced: boolean) =>
  new Radio({ module: 'replay', paced, records: recording(), startTimeNs: 1000n, model: 'trial' });
const fast = make(false);
const { model, antennas, sequencesAntennas } = fast.capabilities();
assert.deepEqual(
  { model, antennas, sequencesAntennas },
  {
    model: 'trial',
    antennas: [1, 2, 3],
    sequencesAntennas: true,
  },
);
for (const radio of [fast, fast, make(true)]) {
  const before = performance.now();
  const records = await runToEnd(radio, plan({ antennas: [antenna(1), antenna(3)] }));
  const took = performance.now() - before;
  assert.equal(records.length, 60 * RECORD_BYTES);
  assert.equal(radio.status().endReason, 'end of recording');
  assert.equal(records.readUInt16LE(RECORD.pc), 0x3000);
  assert.notEqual(records.readUInt16LE(RECORD.crc), 0);
  if (radio !== fast) assert(took >= 85, `paced: ${took} ms`);
  let last = 0n;
  for (let at = 0; at < records.length; at += RECORD_BYTES) {
    const time = records.readBigUInt64LE(at + RECORD.timeNs);
    assert(time >= last);
    last = time;
    assert.notEqual(records[at + RECORD.antenna], 2);
  }
}
