/** Reads as tag data events (interface: Events, Tag data events). */
import type { TagReadInput } from '../../contract/messages.js';
import { timeNsToMs } from '../../contract/time.js';
import { formatEventTime } from '../../platform/clock.js';
import { type EpcUris, epcUris } from '../epc/epc-uris.js';
import type { EventContent } from '../mode/meta-data.js';
import { accessTexts, bankWords, toHex } from './access-texts.js';
import { EventWriter, type SplitEvent } from './event-bytes.js';

export interface ReaderIdentity {
  mac: string;
  hostName: string;
}

/** The toggle bit of the protocol control word: the id is not an EPC but an ISO UII. */
const PC_TOGGLE = 0x0100;
/** Decoded ids that are kept: those of a busy field. */
const MAX_DECODED = 20_000;

const bytes = (text: string): Uint8Array => Buffer.from(text);

const OPEN = bytes('{"data":{');
const QUOTE_COMMA = bytes('",');
const QUOTE = bytes('"');
const CRC = bytes('"CRC":"');
const PC = bytes('"PC":"');
const XPC = bytes('"XPC":"');
const CHANNEL = bytes('"channel":');
const COMMA = bytes(',');
const EVENT_NUM = bytes('"eventNum":');
const FORMAT_EPC = bytes(',"format":"epc",');
const FORMAT_UII = bytes(',"format":"uii",');
const ID_HEX = bytes('"idHex":"');
const PHASE = bytes(',"phase":');
const READS = bytes(',"reads":');
const NO_BYTES = new Uint8Array();

/** Keys in the order of the documented events: ASCII. */
export class TagEventFormatter {
  readonly #content: EventContent;
  readonly #writer = new EventWriter();
  readonly #mac: Uint8Array;
  readonly #host: Uint8Array;
  /** From the end of the data to the time. */
  readonly #dataEnd: Uint8Array;
  readonly #end: Uint8Array;
  readonly #hasAccess: boolean;
  /** `"antenna":1,"antennaName":"in",` by antenna. */
  readonly #antennas = new Map<number, Uint8Array>();
  /** `,"peakRssi":-51` by value. */
  readonly #rssis = new Map<number, Uint8Array>();
  readonly #decoded = new Map<string, EpcUris>();

  constructor(content: EventContent, identity: ReaderIdentity) {
    this.#content = content;
    const json = JSON.stringify;
    this.#mac = bytes(content.mac ? `"MAC":${json(identity.mac)},` : '');
    this.#host = bytes(content.hostName ? `"hostName":${json(identity.hostName)},` : '');
    const user =
      content.userDefined === undefined ? '' : `,"userDefined":${json(content.userDefined)}`;
    this.#dataEnd = bytes(`${user}},"timestamp":"`);
    this.#end = bytes(`","type":"${content.type}"}`);
    this.#hasAccess = [...content.access.values()].some((commands) => commands.length > 0);
  }

  format(read: TagReadInput): SplitEvent {
    const content = this.#content;
    const to = this.#writer;
    const pc = read.pc ?? 0;
    const antenna = (content.byBeam ? read.beam : read.antenna) ?? 0;
    const epc = read.epc ?? NO_BYTES;
    const banks = content.banks.length === 0 ? NO_BANKS : this.#banks(read);
    const uris = content.tagUri || content.epcUri ? this.#uris(read, epc) : undefined;
    to.begin();
    to.bytes(OPEN);
    if (content.crc) this.#word(CRC, read.crc ?? 0);
    if (banks.texts.EPC !== undefined) to.text(banks.texts.EPC);
    if (content.epcUri) to.text(`"EPCURI":${JSON.stringify(uris?.epcUri)},`);
    to.bytes(this.#mac);
    if (content.pc) this.#word(PC, pc);
    if (banks.texts.RESERVED !== undefined) to.text(banks.texts.RESERVED);
    if (content.tagUri) to.text(`"TAGURI":${JSON.stringify(uris?.tagUri)},`);
    if (banks.texts.TID !== undefined) to.text(banks.texts.TID);
    if (banks.texts.USER !== undefined) to.text(banks.texts.USER);
    if (content.xpc && typeof read.xpc === 'number') this.#word(XPC, read.xpc);
    if (this.#hasAccess) to.text(this.#access(read, antenna));
    to.bytes(this.#antenna(antenna));
    if (banks.status !== '') to.text(banks.status);
    if (content.channel) {
      to.bytes(CHANNEL);
      to.text(String((read.frequencyKhz ?? 0) / 1000));
      to.bytes(COMMA);
    }
    to.bytes(EVENT_NUM);
    to.cut();
    to.bytes((pc & PC_TOGGLE) === 0 ? FORMAT_EPC : FORMAT_UII);
    to.bytes(this.#host);
    to.bytes(ID_HEX);
    to.hex(epc);
    to.bytes(QUOTE);
    if (content.rssi) to.bytes(this.#rssi(Math.round((read.rssiCdbm ?? 0) / 100)));
    if (content.phase) {
      to.bytes(PHASE);
      to.text(String((read.phaseCdeg ?? 0) / 100));
    }
    if (content.seenCount) {
      to.bytes(READS);
      to.number(read.seenCount ?? 1);
    }
    to.bytes(this.#dataEnd);
    to.text(formatEventTime(timeNsToMs(read.timeNs ?? 0)));
    to.bytes(this.#end);
    return to.end();
  }

  /** `"PC":"3000",` */
  #word(name: Uint8Array, value: number): void {
    this.#writer.bytes(name);
    this.#writer.word(value);
    this.#writer.bytes(QUOTE_COMMA);
  }

  /** Banks that could not be read are left out, and bankStatus says why. */
  #banks(read: TagReadInput): Banks {
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

  #uris(read: TagReadInput, epc: Uint8Array): EpcUris {
    const pc = read.pc ?? 0;
    const xpc = read.xpc ?? undefined;
    const key = `${toHex(epc)}${pc},${xpc ?? ''}`;
    let uris = this.#decoded.get(key);
    if (uris === undefined) {
      uris = epcUris(pc, xpc, epc);
      if (this.#decoded.size >= MAX_DECODED) this.#decoded.clear();
      this.#decoded.set(key, uris);
    }
    return uris;
  }

  #antenna(number: number): Uint8Array {
    let known = this.#antennas.get(number);
    if (known === undefined) {
      const { antenna, antennaNames } = this.#content;
      const name = antennaNames.get(number);
      known = bytes(
        (antenna ? `"antenna":${number},` : '') +
          (name === undefined ? '' : `"antennaName":${JSON.stringify(name)},`),
      );
      this.#antennas.set(number, known);
    }
    return known;
  }

  #rssi(dbm: number): Uint8Array {
    let known = this.#rssis.get(dbm);
    if (known === undefined) {
      known = bytes(`,"peakRssi":${dbm}`);
      this.#rssis.set(dbm, known);
    }
    return known;
  }
}

interface Banks {
  texts: Record<string, string>;
  status: string;
}

const NO_BANKS: Banks = { texts: {}, status: '' };
