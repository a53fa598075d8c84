/**
 * The reads of a radio packet log as a recording (docs/recordings.md). A packet has no RSSI and no
 * phase: a recording must have both, so all reads get the same.
 */
import type { PacketLine } from './lines.js';

const RSSI_DBM = -60;
const PHASE_DEG = 0;

const HEADER = {
  columns: {
    time: { column: 1, unit: 'ns' },
    antenna: { column: 2 },
    epc: { column: 3 },
    frequency: { column: 4, unit: 'kHz' },
    rssi: { value: RSSI_DBM, unit: 'dBm' },
    phase: { value: PHASE_DEG, unit: 'deg' },
  },
  model: 'radio packet log',
};

export const RECORDING_HEADER = `#${JSON.stringify(HEADER)}`;

/** Gives a line of the recording for each read, once it is certain. */
export class ReadsOfPackets {
  #read: string | undefined;
  reads = 0;
  /** EPCs that a recording cannot hold: empty, or truncated. */
  leftOut = 0;

  constructor(private readonly onRead: (line: string) => void) {}

  take({ direction, name, timeNs, antenna, fields, frequencyKhz }: PacketLine): void {
    // An ACK that comes again says that the reply to it was not heard.
    if (direction === 'reader' && name === 'ACK') this.#read = undefined;
    else if (direction !== 'tag') this.finish();
    if (direction !== 'tag' || (name !== 'EPC' && name !== 'TruncatedEPC')) return;
    if (name === 'TruncatedEPC' || fields?.epc === '') this.leftOut++;
    else this.#read = `${timeNs},${antenna},${fields?.epc},${frequencyKhz}`;
  }

  /** To be called at the end. */
  finish(): void {
    if (this.#read === undefined) return;
    this.reads++;
    this.onRead(this.#read);
    this.#read = undefined;
  }
}
