/**
 * When a TCP client that is gone without a word counts as gone (interface: Retention behaviour on
 * a TCPIP endpoint; Limits, rule 8: keepAlive + keepAliveInterval * keepAliveCount).
 *
 * Node sets only the idle time before the first probe, and libuv fixes the rest: ten probes, a
 * second apart. So the idle time is what is left of the whole. Probes are not sent while data
 * waits for its acknowledgement; then the kernel retries for a quarter of an hour. That case shows
 * in /proc/net/tcp: a connection that repeats itself and gets no further for the whole time.
 */
import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { setInterval } from 'node:timers';
import type { TcpServerOptions } from '../../api/connection.js';

export interface KeepAlive {
  /** Until a silent client counts as gone. */
  totalMs: number;
}

/** Ten probes, a second apart: fixed by libuv. */
const PROBES_MS = 10_000;
const MIN_TOTAL_MS = 120_000;

export function keepAliveOf({ additional = {} }: TcpServerOptions): KeepAlive {
  const { keepAlive = 7200, keepAliveInterval = 60, keepAliveCount = 10 } = additional;
  const total = 1000 * (keepAlive + keepAliveInterval * keepAliveCount);
  return { totalMs: Math.max(MIN_TOTAL_MS, total) };
}

/** @returns To be called when the socket is closed. */
export function watchPeer(
  socket: Socket,
  { totalMs }: KeepAlive,
  onGone: (reason: string) => void,
): () => void {
  socket.setKeepAlive(true, Math.max(1000, totalMs - PROBES_MS));
  let unansweredSinceMs: number | undefined;
  const look = async () => {
    if (!(await repeatsItself(socket))) {
      unansweredSinceMs = undefined;
      return;
    }
    const now = performance.now();
    unansweredSinceMs ??= now;
    if (now - unansweredSinceMs >= totalMs) {
      onGone(`the client has not answered for ${Math.round(totalMs / 1000)} s`);
    }
  };
  const timer = setInterval(() => void look(), Math.min(5000, totalMs / 10));
  timer.unref();
  return () => clearInterval(timer);
}

/** The kernel sends the same once more, since nobody has acknowledged it. */
async function repeatsItself(socket: Socket): Promise<boolean> {
  const { localAddress = '', localPort, remoteAddress = '', remotePort } = socket;
  if (localPort === undefined || remotePort === undefined) return false;
  for (const file of ['/proc/net/tcp', '/proc/net/tcp6']) {
    const text = await readFile(file, 'utf8').catch(() => '');
    const local = `:${hexPort(localPort)}`;
    const remote = `:${hexPort(remotePort)}`;
    for (const line of text.split('\n')) {
      const [, from = '', to = '', , , , retransmits = ''] = line.trim().split(/\s+/);
      if (!from.endsWith(local) || !to.endsWith(remote)) continue;
      if (!sameAddress(from, localAddress) || !sameAddress(to, remoteAddress)) continue;
      return Number.parseInt(retransmits, 16) > 0;
    }
  }
  return false;
}

const hexPort = (port: number) => port.toString(16).toUpperCase().padStart(4, '0');

/** The kernel writes the words of an address in the order of the machine: compared for IPv4 only. */
function sameAddress(entry: string, address: string): boolean {
  const found = /(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address);
  if (found === null) return true;
  const hex = found
    .slice(1)
    .map((part) => Number(part).toString(16).toUpperCase().padStart(2, '0'))
    .reverse()
    .join('');
  return (entry.split(':')[0] ?? '').endsWith(hex);
}
