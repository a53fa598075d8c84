/**
 * A web server that keeps account of the event numbers posted to it: in its own process, so that
 * the sender's memory is the sender's. argv: EVENTS. Messages: 'up', 'down', 'account'.
 */
import { createServer } from 'node:http';

const seen = new Uint8Array(Number(process.argv[2]) + 1);
let arrived = 0;
let reported = 0;
let port = 0;

const NUMBER = Buffer.from('"eventNum":');
const END = Buffer.from('}');
const FIRST_LOST = Buffer.from('"firstEventNum":');

function numberAt(bytes: Buffer, at: number): number {
  let value = 0;
  for (let i = at; ; i++) {
    const digit = (bytes[i] as number) - 48;
    if (digit < 0 || digit > 9) return value;
    value = value * 10 + digit;
  }
}

/** Without JSON.parse: there are 26 million. */
function count(bytes: Buffer): void {
  for (let at = bytes.indexOf(NUMBER); at >= 0; at = bytes.indexOf(NUMBER, at + 1)) {
    const number = numberAt(bytes, at + NUMBER.length);
    const rest = bytes.subarray(at, bytes.indexOf(END, at));
    const lost = rest.indexOf(FIRST_LOST);
    if (lost >= 0) {
      const first = numberAt(rest, lost + FIRST_LOST.length);
      reported += number - first + 1;
      seen.fill(1, first, number + 1);
    } else {
      arrived++;
      seen[number] = 1;
    }
  }
}

const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    count(Buffer.concat(parts));
    response.end();
  });
});
server.on('listening', () => {
  port = (server.address() as { port: number }).port;
  process.send?.({ port });
});

process.on('message', (message: string) => {
  if (message === 'up') server.listen(port, '127.0.0.1');
  else if (message === 'down') {
    server.close(() => process.send?.('down'));
    server.closeAllConnections();
  } else {
    let unaccounted = 0;
    for (let number = 1; number < seen.length; number++) if (seen[number] === 0) unaccounted++;
    process.send?.({ arrived, reported, unaccounted });
  }
});
process.on('disconnect', () => process.exit(0));
