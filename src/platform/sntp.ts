/** Asks an NTP server for the time (SNTP, RFC 4330): how far off is the clock of this machine? */
import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { lookup } from 'node:dns/promises';

const PACKET_BYTES = 48;
/** Version 4, mode 3 (client). */
const CLIENT = 0x23;
const MODE_SERVER = 4;
const ALARM = 3;
const MAX_STRATUM = 15;
/** Seconds from 1900, where NTP begins to count, to 1970. */
const EPOCH_SECONDS = 2_208_988_800;

/**
 * @returns Milliseconds that the server's clock is ahead of this one.
 * @throws If no good answer came in time.
 */
export async function askNtpServer(host: string, port: number, timeoutMs: number): Promise<number> {
  const { address, family } = await lookup(host);
  const socket = createSocket(family === 6 ? 'udp6' : 'udp4');
  // A question on its way does not keep a service that ends.
  socket.unref();
  // What comes back in the answer says that it answers this very question.
  const cookie = randomBytes(8);
  const request = Buffer.alloc(PACKET_BYTES);
  request[0] = CLIENT;
  cookie.copy(request, 40);
  try {
    return await new Promise<number>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('no answer in time')), timeoutMs);
      timer.unref();
      const sentMs = Date.now();
      const done = (finish: () => void) => {
        clearTimeout(timer);
        finish();
      };
      socket.on('error', (error) => done(() => reject(error)));
      socket.on('message', (answer) => {
        const receivedMs = Date.now();
        if (answer.length < PACKET_BYTES || !answer.subarray(24, 32).equals(cookie)) return;
        const fault = faultOf(answer);
        if (fault !== undefined) return done(() => reject(new Error(fault)));
        const before = timestampMs(answer, 32) - sentMs;
        const after = timestampMs(answer, 40) - receivedMs;
        done(() => resolve((before + after) / 2));
      });
      socket.connect(port, address, (error?: Error) => {
        if (error) return done(() => reject(error));
        socket.send(request);
      });
    });
  } finally {
    socket.close();
  }
}

function faultOf(answer: Buffer): string | undefined {
  const first = answer[0] ?? 0;
  const stratum = answer[1] ?? 0;
  if ((first & 7) !== MODE_SERVER) return 'the answer is not of a server';
  if (first >> 6 === ALARM) return "the server's clock is not synchronised";
  if (stratum < 1 || stratum > MAX_STRATUM) return 'the server asks not to be asked';
  return undefined;
}

/** The 64-bit time at `at`; of the era after 2036 as well. */
function timestampMs(packet: Buffer, at: number): number {
  const seconds = packet.readUInt32BE(at);
  const era = seconds < 0x8000_0000 ? 0x1_0000_0000 : 0;
  return (seconds + era - EPOCH_SECONDS) * 1000 + (packet.readUInt32BE(at + 4) / 2 ** 32) * 1000;
}
