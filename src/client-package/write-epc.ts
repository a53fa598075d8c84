/** Gives a tag another EPC. */
import type { RadioClient } from '../contract/client.js';
import {
  AccessOperation,
  type AccessOperationInput,
  AccessResult,
  type AccessTagResponse,
  Bank,
} from '../contract/messages.js';

export interface TagWrite {
  /** EPC that the tag has now, 2..62 bytes, whole words of two. */
  from: Uint8Array;
  /** EPC that it shall have, likewise. */
  to: Uint8Array;
  leaseId?: string;
  /** How long to look for the tag, milliseconds; default 1000. */
  timeoutMs?: number;
}

/** Bank EPC, in words: 0 is a CRC, which the tag makes itself; 1 the PC; the EPC begins at 2. */
const WORD_OF_PC = 1;
const WORD_OF_EPC = 2;

/**
 * Writes the words of the EPC, and with them the PC if the length changes.
 * @throws as AccessTag; or an Error that says why the tag did not do it. Then it may have a part of
 * the new EPC.
 */
export async function writeEpc(client: RadioClient, write: TagWrite): Promise<AccessTagResponse> {
  const { from, to, leaseId = '', timeoutMs = 1000 } = write;
  const access = async (operation: AccessOperationInput) => {
    const tag = { epc: from };
    const answer = await client.accessTag({ tag, operations: [operation], timeoutMs, leaseId });
    checkDone(answer);
    return answer;
  };
  const { READ, WRITE } = AccessOperation.Kind;
  const bank = Bank.BANK_EPC;
  if (to.length === from.length) {
    return access({ kind: WRITE, bank, wordPointer: WORD_OF_EPC, data: to });
  }
  const read = await access({ kind: READ, bank, wordPointer: WORD_OF_PC, wordCount: 1 });
  const pc = Buffer.from(read.results[0]?.data ?? []);
  // The upper five bits are the number of words of the EPC. The others stay.
  pc.writeUInt16BE((pc.readUInt16BE() & 0x07ff) | ((to.length >> 1) << 11));
  return access({ kind: WRITE, bank, wordPointer: WORD_OF_PC, data: Buffer.concat([pc, to]) });
}

function checkDone({ results }: AccessTagResponse): void {
  for (const { status, error, wordsWritten } of results) {
    if (status === AccessResult.Status.DONE) continue;
    const name = AccessResult.Status[status ?? AccessResult.Status.DONE];
    throw new Error(`${name}, error ${error}, ${wordsWritten} words written`);
  }
}
