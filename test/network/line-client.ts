/**
 * A TCP client on the other host: writes down every line it gets, and connects again when told
 * so. argv: HOST PORT FILE. Message: 'connect'.
 */
import { appendFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { recordOf } from '../delivery/arrivals-file.js';

const [host, port, file] = process.argv.slice(2) as [string, string, string];
let socket: Socket | undefined;

function dial(): void {
  socket?.destroy();
  let rest = '';
  const mine = connect(Number(port), host);
  socket = mine;
  mine.setEncoding('utf8');
  mine.on('error', () => {});
  mine.on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    if (lines.length > 0)
      appendFileSync(file, lines.map((line) => recordOf('line', line)).join(''));
  });
}

process.on('message', dial);
process.on('disconnect', () => process.exit(0));
process.send?.('ready');
