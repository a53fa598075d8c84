/**
 * A client of TCP or WebSocket endpoints that a test kills: a process that writes down what it gets.
 * argv: tcp|websocket PORT FILE CHANNEL... Channels are ports for tcp, paths for websocket. It
 * connects when its parent says "listen", breaks off and connects again when it says "reset", every
 * other time in the middle of a frame, and kills itself when it says "die": not between what it has
 * got and what it has written down. What came while it was held up it reads first: nobody can know
 * that a program has not read what its system has acknowledged long ago.
 */
import { openSync, writeSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { WebSocket } from 'ws';
import { recordOf } from './arrivals-file.js';

const [kind, port, file, ...channels] = process.argv.slice(2) as [string, string, ...string[]];
const fd = openSync(String(file), 'a');
const AGAIN_MS = 5;

/** The connection that is there now, of each channel. */
const sockets = new Map<string, Socket>();
let connected = 0;

function writeDown(channel: string, lines: string[]): void {
  if (lines.length > 0) writeSync(fd, lines.map((line) => recordOf(channel, line)).join(''));
}

function isIn(channel: string, socket: Socket): void {
  sockets.set(channel, socket);
  if (++connected === channels.length) process.send?.('listening');
}

function dialTcp(channel: string): void {
  const socket = connect(Number(channel), '127.0.0.1');
  let rest = '';
  socket.setEncoding('latin1');
  socket.on('connect', () => isIn(channel, socket));
  socket.on('error', () => {});
  socket.on('close', () => setTimeout(() => dial(channel), AGAIN_MS));
  socket.on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    writeDown(channel, lines);
  });
}

function dialWebSocket(channel: string): void {
  const client = new WebSocket(`ws://127.0.0.1:${port}/${channel}`);
  let socket: Socket | undefined;
  client.on('upgrade', (response) => {
    socket = response.socket;
  });
  client.on('open', () => isIn(channel, socket as Socket));
  client.on('error', () => {});
  client.on('close', () => setTimeout(() => dial(channel), AGAIN_MS));
  client.on('message', (data) => writeDown(channel, data.toString().trim().split('\n')));
}

const dial = kind === 'tcp' ? dialTcp : dialWebSocket;

let resets = 0;
function reset(): void {
  const half = resets++ % 2 === 1;
  connected = 0;
  for (const socket of sockets.values()) {
    // The first byte of a text frame; a tcpip-server does not mind.
    if (half) socket.write(Buffer.from([0x81]));
    socket.resetAndDestroy();
  }
}

/** Once around the loop, whose sockets are read on the way. */
const afterReading = (work: () => void) => setImmediate(() => setImmediate(work));

process.on('message', (what) => {
  if (what === 'die') afterReading(() => process.kill(process.pid, 'SIGKILL'));
  else if (what === 'reset') afterReading(reset);
  else for (const channel of channels) dial(channel);
});
process.on('disconnect', () => process.exit(0));
process.send?.('ready');
