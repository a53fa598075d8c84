/** Reads as tag data events (interface: Events, Tag data events). */

import type { TagReadInput } from '../../contract/messages.js';
import { timeNsToMs } from '../../contract/time.js';
import { formatEventTime } from '../../platform/clock.js';
import type { EventContent } from '../mode/meta-data.js';

/** An event as JSON, cut where its number goes: the number is the endpoint's, the rest is shared. */
export interface SplitEvent {
  head: string;
  tail: string;
}

export interface ReaderIdentity {
  mac: string;
  hostName: string;
}

/** The toggle bit of the protocol control word: the id is not an EPC but an ISO UII. */
const PC_TOGGLE = 0x0100;

const word = (value: number) => value.toString(16).padStart(4, '0');

/** Keys in the order of the documented events: ASCII. */
export class TagEventFormatter {
  readonly #content: EventContent;
  readonly #macText: string;
  readonly #hostText: string;
  readonly #endText: string;
  readonly #nameTexts: ReadonlyMap<number, string>;
  #timeMs = Number.NaN;
  #timeText = '';

  constructor(content: EventContent, identity: ReaderIdentity) {
    this.#content = content;
    const json = JSON.stringify;
    this.#macText = content.mac ? `"MAC":${json(identity.mac)},` : '';
    this.#hostText = content.hostName ? `"hostName":${json(identity.hostName)},` : '';
    const user =
      content.userDefined === undefined ? '' : `,"userDefined":${json(content.userDefined)}`;
    this.#endText = `${user}},"timestamp":"`;
    this.#nameTexts = new Map(
      [...content.antennaNames].map(([port, name]) => [port, `"antennaName":${json(name)},`]),
    );
  }

  format(read: TagReadInput): SplitEvent {
    const content = this.#content;
    const pc = read.pc ?? 0;
    const antenna = read.antenna ?? 0;
    let head = '{"data":{';
    if (content.crc) head += `"CRC":"${word(read.crc ?? 0)}",`;
    head += this.#macText;
    if (content.pc) head += `"PC":"${word(pc)}",`;
    if (content.antenna) head += `"antenna":${antenna},`;
    head += this.#nameTexts.get(antenna) ?? '';
    if (content.channel) head += `"channel":${(read.frequencyKhz ?? 0) / 1000},`;
    head += '"eventNum":';

    let tail = (pc & PC_TOGGLE) === 0 ? ',"format":"epc",' : ',"format":"uii",';
    tail += this.#hostText;
    tail += `"idHex":"${toHex(read.epc)}"`;
    if (content.rssi) tail += `,"peakRssi":${Math.round((read.rssiCdbm ?? 0) / 100)}`;
    if (content.phase) tail += `,"phase":${(read.phaseCdeg ?? 0) / 100}`;
    if (content.seenCount) tail += `,"reads":${read.seenCount ?? 1}`;
    tail += this.#endText;
    tail += this.#time(read);
    tail += `","type":"${content.type}"}`;
    return { head, tail };
  }

  #time(read: TagReadInput): string {
    const ms = Math.floor(timeNsToMs(read.timeNs ?? 0));
    if (ms !== this.#timeMs) {
      this.#timeMs = ms;
      this.#timeText = formatEventTime(ms);
    }
    return this.#timeText;
  }
}

function toHex(bytes: Uint8Array | null | undefined): string {
  if (bytes === null || bytes === undefined) return '';
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}
