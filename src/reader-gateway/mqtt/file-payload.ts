/** The payload of an MQTT response that is a file. */
import { SingulateError } from '../../shared/errors.js';
import { type Static, Type } from '../api/schema.js';
import type { FileAnswer } from '../operations/file-answer.js';

/** As base64 with its envelope below 128 KiB: the least that the brokers of the interface take. */
export const MAX_FILE_BYTES = 90 * 1024;

export const FilePayload = Type.Object(
  {
    fileName: Type.String(),
    contentType: Type.String(),
    encoding: Type.Literal('base64'),
    content: Type.String(),
    truncated: Type.Boolean({
      description: 'These are the newest lines, older ones found no room',
    }),
  },
  { description: 'A file' },
);
export type FilePayload = Static<typeof FilePayload>;

/** @throws STATE: the file is too large, and not one of lines. */
export async function filePayload(file: FileAnswer): Promise<FilePayload> {
  const { fileName, contentType, isLines } = file;
  let kept: Buffer[] = [];
  let bytes = 0;
  let truncated = false;
  for await (const chunk of file.content) {
    const part = Buffer.from(chunk);
    kept.push(part);
    bytes += part.length;
    if (bytes <= MAX_FILE_BYTES) continue;
    if (!isLines) throw tooLarge(fileName);
    // Only now and then, so that a long log costs no more than its length.
    truncated = true;
    if (bytes > 4 * MAX_FILE_BYTES) {
      kept = [Buffer.concat(kept).subarray(-MAX_FILE_BYTES - 1)];
      bytes = MAX_FILE_BYTES + 1;
    }
  }
  const content = truncated ? newestLines(Buffer.concat(kept)) : Buffer.concat(kept);
  return {
    fileName,
    contentType,
    encoding: 'base64',
    content: content.toString('base64'),
    truncated,
  };
}

/** As many whole lines as there is room for. One byte more: it may be the end of a line. */
function newestLines(text: Buffer): Buffer {
  const last = text.subarray(-MAX_FILE_BYTES - 1);
  const end = last.indexOf('\n');
  return end < 0 ? Buffer.alloc(0) : last.subarray(end + 1);
}

function tooLarge(fileName: string): SingulateError {
  const limit = `${MAX_FILE_BYTES / 1024} KiB`;
  return new SingulateError(
    'STATE',
    `${fileName} is above the ${limit} that an MQTT response may carry; fetch it over REST`,
  );
}
