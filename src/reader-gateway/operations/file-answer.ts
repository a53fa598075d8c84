/** An answer that is a file: over REST as it is, over MQTT as base64 (mqtt/file-payload.ts). */
import type { Readable } from 'node:stream';

export class FileAnswer {
  constructor(
    readonly fileName: string,
    readonly contentType: string,
    readonly content: Readable,
    /** The file is lines, of which the newest are worth more: a part of it is better than none. */
    readonly isLines: boolean,
  ) {}
}
