/** Looks whether the first message of a TLS client has come as a whole (RFC 8446, sections 4 and 5.1). */

const HANDSHAKE_RECORD = 22;
const CLIENT_HELLO = 1;
const RECORD_HEAD = 5;
const MESSAGE_HEAD = 4;
/** Those of browsers have below 2 KB. */
const MAX_HELLO_BYTES = 16 * 1024;
/** It has one as a rule. */
const MAX_RECORDS = 8;

/** @returns 'wrong': no TLS server would answer it with more than an alert. */
export function clientHello(bytes: Buffer): 'whole' | 'part' | 'wrong' {
  let message = Buffer.alloc(0);
  let records = 0;
  for (let at = 0; at < bytes.length; ) {
    records++;
    if (bytes[at] !== HANDSHAKE_RECORD || records > MAX_RECORDS) return 'wrong';
    if (bytes.length < at + RECORD_HEAD) break;
    const end = at + RECORD_HEAD + bytes.readUInt16BE(at + 3);
    message = Buffer.concat([message, bytes.subarray(at + RECORD_HEAD, end)]);
    if (message.length > 0 && message[0] !== CLIENT_HELLO) return 'wrong';
    if (message.length >= MESSAGE_HEAD) {
      const length = MESSAGE_HEAD + message.readUIntBE(1, 3);
      if (length > MAX_HELLO_BYTES) return 'wrong';
      if (message.length >= length) return 'whole';
    }
    at = end;
  }
  return bytes.length > 2 * MAX_HELLO_BYTES ? 'wrong' : 'part';
}
