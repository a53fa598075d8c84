/**
 * A broker or a web server that a test kills: a process that writes down what arrives before it
 * acknowledges it. argv: mqtt|http PORT FILE HOST. It listens when its parent says "listen", and
 * breaks its connections off when it says "reset", every other time in the middle of an answer.
 */
import { openSync, writeSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Server, type Socket } from 'node:net';
import { Aedes } from 'aedes';
import { endWithStarter } from '../../src/shared/end-with-starter.js';
import { recordOf } from './arrivals-file.js';

const [kind, port, file, host] = process.argv.slice(2) as ['mqtt' | 'http', ...string[]];
const fd = openSync(String(file), 'a');

/** What the kernel has taken survives the end of this process. */
function writeDown(channel: string, text: string): void {
  writeSync(fd, recordOf(channel, text));
}

async function broker(): Promise<Server> {
  const aedes = await Aedes.createBroker({
    authorizePublish: (_client, packet, done) => {
      writeDown(packet.topic, packet.payload.toString());
      done(null);
    },
  });
  return createServer({ noDelay: true }, (socket) => {
    socket.on('error', () => {});
    aedes.handle(socket);
  });
}

function webServer(): Server {
  return createHttpServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', () => {
      writeDown(String(request.url).slice(1), Buffer.concat(parts).toString());
      response.end();
    });
  });
}

const server = kind === 'mqtt' ? await broker() : webServer();
// The port of one that was just killed may not be free yet.
server.on('error', () => setTimeout(listen, 5));
server.on('listening', () => process.send?.('listening'));
function listen(): void {
  server.listen(Number(port), host);
}

const sockets = new Set<Socket>();
server.on('connection', (socket: Socket) => {
  sockets.add(socket);
  socket.once('close', () => sockets.delete(socket));
});
/** The beginning of a PUBACK, and of a status line. */
const HALF_ANSWER = kind === 'mqtt' ? Buffer.from([0x40]) : 'HTTP/1.1 2';
let resets = 0;
function reset(): void {
  const half = resets++ % 2 === 1;
  for (const socket of sockets) {
    if (half) socket.write(HALF_ANSWER);
    socket.resetAndDestroy();
  }
  process.send?.('reset');
}
process.on('message', (what) => (what === 'reset' ? reset() : listen()));
endWithStarter();
process.send?.('ready');
