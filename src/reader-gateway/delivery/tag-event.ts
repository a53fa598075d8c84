/** Reads as tag data events (interface: Events, Tag data events). */
import type { TagReadInput } from '../../contract/messages.js';
import { timeNsToMs } from '../../contract/time.js';
import { formatEventTime } from '../../platform/clock.js';
import { type EpcUris, epcUris } from '../epc/epc-uris.js';
import type { EventContent } from '../mode/meta-data.js';
import { accessTexts, bankWords, toHex } from './access-texts.js';

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
/** Decoded ids that are kept: those of a busy field. */
const MAX_DECODED = 20_000;

const word = (value: number) => value.toString(16).padStart(4, '0');

/** Keys in the order of the documented events: ASCII. */
export class TagEventFormatter {
  readonly #content: EventContent;
  readonly #macText: string;
  readonly #hostText: string;
  readonly #endText: string;
  readonly #nameTexts: ReadonlyMap<number, string>;
  readonly #hasAccess: boolean;
  readonly #decoded = new Map<string, EpcUris>();
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
      [...content.antennaNames].map(([number, name]) => [number, `"antennaName":${json(name)},`]),
    );
    this.#hasAccess = [...content.access.values()].some((commands) => commands.length > 0);
  }

  format(read: TagReadInput): SplitEvent {
    const content = this.#content;
    const pc = read.pc ?? 0;
    const antenna = (content.byBeam ? read.beam : read.antenna) ?? 0;
    const id = toHex(read.epc);
    const banks = content.banks.length === 0 ? NO_BANKS : this.#banks(read);
    const uris = content.tagUri || content.epcUri ? this.#uris(read, id) : undefined;
    let head = '{"data":{';
    if (content.crc) head += `"CRC":"${word(read.crc ?? 0)}",`;
    head += banks.texts.EPC ?? '';
    if (content.epcUri) head += `"EPCURI":${JSON.stringify(uris?.epcUri)},`;
    head += this.#macText;
    if (content.pc) head += `"PC":"${word(pc)}",`;
    head += banks.texts.RESERVED ?? '';
    if (content.tagUri) head += `"TAGURI":${JSON.stringify(uris?.tagUri)},`;
    head += banks.texts.TID ?? '';
    head += banks.texts.USER ?? '';
    if (content.xpc && typeof read.xpc === 'number') head += `"XPC":"${word(read.xpc)}",`;
    if (this.#hasAccess) head += this.#access(read, antenna);
    if (content.antenna) head += `"antenna":${antenna},`;
    head += this.#nameTexts.get(antenna) ?? '';
    head += banks.status;
    if (content.channel) head += `"channel":${(read.frequencyKhz ?? 0) / 1000},`;
    head += '"eventNum":';

    let tail = (pc & PC_TOGGLE) === 0 ? ',"format":"epc",' : ',"format":"uii",';
    tail += this.#hostText;
    tail += `"idHex":"${id}"`;
    if (content.rssi) tail += `,"peakRssi":${Math.round((read.rssiCdbm ?? 0) / 100)}`;
    if (content.phase) tail += `,"phase":${(read.phaseCdeg ?? 0) / 100}`;
    if (content.seenCount) tail += `,"reads":${read.seenCount ?? 1}`;
    tail += this.#endText;
    tail += this.#time(read);
    tail += `","type":"${content.type}"}`;
    return { head, tail };
  }

  /** Banks that could not be read are left out, and bankStatus says why. */
  #banks(read: TagReadInput): { texts: Record<string, string>; status: string } {
    const texts: Record<string, string> = {};
    const failures: Record<string, string> = {};
    for (const { name, from, count } of this.#content.banks) {
      const words = bankWords(read.memory ?? [], from, count);
      if ('hex' in words) texts[name] = `"${name}":"${words.hex}",`;
      else failures[name] = words.failure;
    }
    const failed = Object.keys(failures).length > 0;
    return { texts, status: failed ? `"bankStatus":${JSON.stringify(failures)},` : '' };
  }

  #access(read: TagReadInput, antenna: number): string {
    const commands = this.#content.access.get(antenna) ?? [];
    if (commands.length === 0) return '';
    return `"accessResults":${JSON.stringify(accessTexts(commands, read.access ?? []))},`;
  }

  #uris(read: TagReadInput, id: string): EpcUris {
    const pc = read.pc ?? 0;
    const xpc = read.xpc ?? undefined;
    const key = `${id}${pc},${xpc ?? ''}`;
    let uris = this.#decoded.get(key);
    if (uris === undefined) {
      uris = epcUris(pc, xpc, read.epc ?? new Uint8Array());
      if (this.#decoded.size >= MAX_DECODED) this.#decoded.clear();
      this.#decoded.set(key, uris);
    }
    return uris;
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

const NO_BANKS: { texts: Record<string, string>; status: string } = { texts: {}, status: '' };
