/**
 * Begins handshakes: one and the same first message of TLS (X25519), recorded once, so that it costs
 * next to nothing here and all that it costs there. With the first byte of the answer it is closed.
 */
import { connect, type Socket } from 'node:net';
import { clientHello } from '../../test/security/client-hello.js';
import type { FloodResult, FloodTask } from './flood.js';

const TICK_MS = 5;
/** After a connection that was refused. */
const AGAIN_MS = 5;
let open = new Set<Socket>();
let answered = 0;
let began = 0;
let stop = () => {};

async function begin({ port, sources, perSecond, connections }: FloodTask): Promise<void> {
  const hello = await clientHello();
  let isOver = false;
  answered = 0;
  began = performance.now();
  const one = (localAddress: string, done: () => void) => {
    const socket = connect({ host: '127.0.0.1', port, localAddress });
    open.add(socket);
    socket.write(hello);
    socket.on('error', () => {});
    socket.once('data', () => {
      answered++;
      socket.resetAndDestroy();
    });
    socket.on('close', () => {
      open.delete(socket);
      done();
    });
  };
  if (perSecond === 0) {
    const again = (source: string) => {
      if (!isOver) one(source, () => setTimeout(() => again(source), AGAIN_MS));
    };
    for (const source of sources) for (let i = 0; i < connections; i++) again(source);
    stop = () => {
      isOver = true;
    };
    return;
  }
  let sent = 0;
  const timer = setInterval(() => {
    const due = ((performance.now() - began) * perSecond) / 1000;
    for (; sent < due; sent++) one(sources[sent % sources.length] as string, () => {});
  }, TICK_MS);
  stop = () => clearInterval(timer);
}

process.on('message', async (message: FloodTask | 'end') => {
  if (message !== 'end') {
    await begin(message);
    process.send?.('begun');
    return;
  }
  stop();
  const result: FloodResult = { answered, seconds: (performance.now() - began) / 1000 };
  for (const socket of open) socket.destroy();
  open = new Set();
  process.send?.(result);
});
process.on('disconnect', () => process.exit(0));
