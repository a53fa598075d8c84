/** The lines of the radio packet log; docs/logs.md describes them for those who read them. */
import type { AirPacket } from '../addon/addon.js';
import { type HexFrame, toBits } from './bits.js';
import { type Decoded, decodeCommand, type Fields } from './commands.js';
import { decodeReply } from './replies.js';

export const PACKET_LOG_FORMAT = 1;

export interface PacketLine {
  /** Air clock, nanoseconds since the epoch: of a command its beginning, of a reply its end. */
  timeNs: string;
  /** Of 'log': not of the air, but about the log. */
  direction: 'reader' | 'tag' | 'carrier' | 'log';
  /** Of the command, of the reply; on, off, collision, unknown; begin, lost. */
  name: string;
  antenna?: number;
  /** 0: the carrier is off. */
  frequencyKhz?: number;
  fields?: Fields;
  /** Tags of a collision. */
  tags?: number;
  bits?: number;
  /** Not there if it is withheld. */
  hex?: string;
  /** Names of fields that hold a password of the tag: neither they nor the frame are told. */
  withheld?: string[];
}

export const lineText = (line: object): string => `${JSON.stringify(line)}\n`;

/** Makes lines of packets, in their order: what a reply is depends on the command before it. */
export class PacketLines {
  #command: Decoded | undefined;

  toLine(packet: AirPacket): PacketLine {
    const { kind, antenna, frequencyKhz, bits, hex } = packet;
    const timeNs = String(packet.timeNs);
    const where = { antenna, frequencyKhz };
    if (kind === 'carrierOn' || kind === 'carrierOff') {
      const name = kind === 'carrierOn' ? 'on' : 'off';
      return { timeNs, direction: 'carrier', name, ...where };
    }
    if (kind === 'collision') {
      return { timeNs, direction: 'tag', name: kind, ...where, tags: packet.tags ?? 0 };
    }
    const frame: HexFrame = { bits: bits ?? 0, hex: hex ?? '' };
    const isCommand = kind === 'command';
    const decoded = isCommand
      ? decodeCommand(toBits(frame))
      : decodeReply(toBits(frame), this.#command?.name);
    const secrets = isCommand ? secretsOf(decoded) : this.#secretsOfReply(decoded);
    if (isCommand) this.#command = decoded;
    const start = { timeNs, direction: isCommand ? 'reader' : 'tag' } as const;
    if (decoded === undefined) return { ...start, name: 'unknown', ...where, ...frame };
    const { name, fields } = decoded;
    if (secrets.length === 0) return { ...start, name, ...where, fields, ...frame };
    const told = Object.entries(fields).filter(([field]) => !secrets.includes(field));
    const rest = { fields: Object.fromEntries(told), bits: frame.bits, withheld: secrets };
    return { ...start, name, ...where, ...rest };
  }

  /** Of a Read of the Reserved bank: it holds the passwords. */
  #secretsOfReply(reply: Decoded | undefined): string[] {
    const isSecret = this.#command?.name === 'Read' && this.#command.fields.bank === 0;
    return isSecret && reply?.name === 'Done' ? ['words'] : [];
  }
}

/** Cover coding hides nothing from who reads this log: the random number is in it as well. */
function secretsOf(command: Decoded | undefined): string[] {
  switch (command?.name) {
    case 'Access':
    case 'Kill':
      return ['password'];
    case 'Write':
    case 'BlockWrite':
      return command.fields.bank === 0 ? ['data'] : [];
    default:
      return [];
  }
}
