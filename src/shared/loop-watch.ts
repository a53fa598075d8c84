/**
 * Watches the event loop of this process. A turn that takes long holds up every client: it is
 * counted and logged, with the processor time that this thread had in it. Little of that means that
 * the machine let the process wait; much, that the process did too much at once.
 */
import { openSync, readSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { tell } from './starter.js';

/** A turn is known to this: it is noticed by a timer that comes late. Shorter ones would wake an idle service more often. */
export const TICK_MS = 200;
/** A turn above this is long. */
export const LONG_TURN_MS = 250;
/** Lines of the log are this far from each other; what comes between is in the next one. */
const LOG_EVERY_MS = 10_000;
/** What a starter is told while the loop turns, if it sets this variable in the environment. */
export const BEAT = 'beat';
export const BEATS_WANTED = 'SINGULATE_BEATS';
export const BEAT_MS = 1000;

/** The text of the line in the log, for those who look for it. */
export const LONG_TURN = 'a turn of the event loop took long';

export interface LongTurn {
  /** Wall time, at most TICK_MS too long, never too short. */
  ms: number;
  /** Processor time of the thread of the event loop in it; in steps of 10 ms. */
  cpuMs: number;
}

/** What the watch looks at. */
export interface LoopClock {
  /** Milliseconds, monotonic. */
  now(): number;
  /** Milliseconds so far in which the loop had nothing to do. */
  idle(): number;
  /** Processor time of the loop's thread so far, milliseconds. */
  cpu(): number;
}

export class LoopWatch {
  /** Long turns so far. */
  turns = 0;
  /** The longest turn above LONG_TURN_MS so far; 0 = none. */
  longestMs = 0;
  readonly #log: (facts: { turns: number; longest: LongTurn; busiest: LongTurn }) => void;
  readonly #clock: LoopClock;
  #last: { now: number; idle: number; cpu: number };
  #untold: LongTurn[] = [];
  #loggedAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  /** @param log Gets the turns since its last call: their number, the longest, the one that cost most. */
  constructor(
    log: (facts: { turns: number; longest: LongTurn; busiest: LongTurn }) => void,
    clock: LoopClock = loopClock(),
  ) {
    this.#log = log;
    this.#clock = clock;
    this.#last = this.#look();
  }

  /** Keeps no process alive. */
  start(): this {
    this.#last = this.#look();
    this.#timer = setInterval(() => this.tick(), TICK_MS).unref();
    return this;
  }

  /** Logs what it has not logged yet. */
  stop(): void {
    clearInterval(this.#timer);
    this.#tell();
  }

  /** To be called every TICK_MS by the loop. */
  tick(): void {
    const { now, idle, cpu } = this.#look();
    const last = this.#last;
    this.#last = { now, idle, cpu };
    // Before the turn began the loop had nothing to do, or not for long.
    const ms = now - last.now - (idle - last.idle);
    if (ms > LONG_TURN_MS) this.#add({ ms: Math.round(ms), cpuMs: Math.round(cpu - last.cpu) });
    if (this.#untold.length > 0 && now - this.#loggedAt >= LOG_EVERY_MS) this.#tell();
  }

  #look() {
    return { now: this.#clock.now(), idle: this.#clock.idle(), cpu: this.#clock.cpu() };
  }

  #add(turn: LongTurn): void {
    this.turns++;
    this.longestMs = Math.max(this.longestMs, turn.ms);
    // At most four a second, and told every few seconds.
    this.#untold.push(turn);
  }

  #tell(): void {
    const turns = this.#untold;
    const [first] = turns;
    if (first === undefined) return;
    this.#untold = [];
    this.#loggedAt = this.#clock.now();
    const longest = turns.reduce((most, turn) => (turn.ms > most.ms ? turn : most), first);
    const busiest = turns.reduce((most, turn) => (turn.cpuMs > most.cpuMs ? turn : most), first);
    this.#log({ turns: turns.length, longest, busiest });
  }
}

/** Tells the starter, if it wants that, now and every second that the event loop turns. Keeps no process alive. */
export function beat(): void {
  if (process.env[BEATS_WANTED] === undefined) return;
  let underWay = false;
  const send = () => {
    // A starter that takes nothing is not sent ever more.
    if (underWay) return;
    underWay = true;
    tell({ type: BEAT }, () => {
      underWay = false;
    });
  };
  send();
  setInterval(send, BEAT_MS).unref();
}

function loopClock(): LoopClock {
  return {
    now: () => performance.now(),
    idle: () => performance.nodeTiming.idleTime,
    cpu: threadClock(),
  };
}

/** The kernel counts in hundredths of a second for every program, whatever it counts in itself. */
const MS_OF_TICK = 10;

/** Of this thread alone: the radio has one of its own, and so have password hashes. */
function threadClock(): () => number {
  let file: number;
  try {
    file = openSync('/proc/thread-self/stat', 'r');
  } catch {
    return () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1000;
    };
  }
  const bytes = Buffer.alloc(1024);
  return () => {
    const text = bytes.toString('latin1', 0, readSync(file, bytes, 0, bytes.length, 0));
    // The name of the program, in parentheses, may hold anything.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * MS_OF_TICK;
  };
}
