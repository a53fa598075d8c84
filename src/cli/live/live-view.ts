/** On a terminal: a view that is redrawn in place; the log lines go to files. */
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import type { TagRead } from '../../contract/messages.js';
import { LogFile } from '../log-file.js';
import type { Counters, Presentation } from '../presentation.js';
import type { RadioFigures } from '../radio-watch.js';
import type { OutputStream, Service, ServiceMessage } from '../service.js';
import type { EndpointRow, LiveModel } from './model.js';
import { noticeOf } from './notice.js';
import { renderLive } from './render.js';
import { Screen } from './screen.js';
import { TagTable } from './tag-table.js';

const REDRAW_MS = 250;
const KEPT_NOTICES = 10;
const KEPT_ERRORS = 20;

export interface LiveViewOptions {
  stateDir: string;
  /** Lines above the view, printed once. */
  above: readonly string[];
  source: string;
}

export class LiveView implements Presentation {
  readonly figuresEveryMs = 1000;
  readonly #options: LiveViewOptions;
  readonly #screen = new Screen((text) => writeTerminal(1, text));
  readonly #tags = new TagTable();
  readonly #files = new Map<string, LogFile>();
  readonly #startedMs = Date.now();
  #services: readonly Service[] = [];
  #figures: RadioFigures | undefined;
  #endpoints: readonly EndpointRow[] = [];
  #notices: string[] = [];
  /** What services said on standard error, for the case that one refuses to start. */
  #errors: string[] = [];
  #timer: NodeJS.Timeout | undefined;
  #ended = false;

  constructor(options: LiveViewOptions) {
    this.#options = options;
  }

  begin(services: readonly Service[]): void {
    this.#services = services;
    writeTerminal(1, `${this.#options.above.join('\n')}\n`);
    this.#redraw();
    this.#timer = setInterval(() => this.#redraw(), REDRAW_MS);
    process.stdout.on('resize', this.#resized);
  }

  serviceLine(service: Service, stream: OutputStream, line: string): void {
    this.#file(service.name).write(line);
    if (stream === 'stderr') this.#errors = [...this.#errors, line].slice(-KEPT_ERRORS);
    const notice = noticeOf(line) ?? (stream === 'stderr' ? line : undefined);
    if (notice !== undefined) this.#notice(notice);
  }

  serviceMessage(_service: Service, message: ServiceMessage): void {
    if (message.type === 'endpoints' && Array.isArray(message.endpoints)) {
      this.#endpoints = message.endpoints;
    }
  }

  restart(service: Service, how: string, delayMs: number): void {
    const when = delayMs === 0 ? 'now' : `in ${(delayMs / 1000).toFixed(1)} s`;
    this.#notice(`${service.name} ended (${how}) and is started again ${when}`);
  }

  reads(reads: readonly TagRead[]): void {
    const now = Date.now();
    for (const { epc, antenna, rssiCdbm, seenCount } of reads) {
      const hex = Buffer.from(epc.buffer, epc.byteOffset, epc.byteLength).toString('hex');
      this.#tags.add(hex, antenna, rssiCdbm / 100, seenCount, now);
    }
  }

  firstTagEvent(ms: number): void {
    this.#file('singulate').write(`${new Date().toISOString()} first tag event after ${ms} ms`);
  }

  figures(figures: RadioFigures | undefined): void {
    this.#figures = figures;
  }

  replayFinished({ reads, reported, filtered, dropped }: Counters): void {
    this.#notice(
      `replay finished: ${reads} reads, ${reported} reported, ${filtered} filtered, ${dropped} dropped`,
    );
  }

  stopping(why: string): void {
    this.#notice(`stopping (${why}); Ctrl-C again ends at once`);
    if (!why.startsWith('SIG')) {
      this.end();
      writeTerminal(2, this.#errors.map((line) => `${line}\n`).join(''));
    }
  }

  end(): void {
    if (this.#ended) return;
    this.#redraw();
    this.#ended = true;
    clearInterval(this.#timer);
    process.stdout.off('resize', this.#resized);
    this.#screen.restore();
    for (const file of this.#files.values()) file.close();
  }

  #notice(text: string): void {
    this.#notices = [...this.#notices, text].slice(-KEPT_NOTICES);
    this.#file('singulate').write(`${new Date().toISOString()} ${text}`);
  }

  #file(name: string): LogFile {
    let file = this.#files.get(name);
    if (file === undefined) {
      file = new LogFile(join(this.#options.stateDir, 'logs', `${name}.log`));
      this.#files.set(name, file);
    }
    return file;
  }

  #redraw(): void {
    if (this.#ended) return;
    const { columns = 80, rows = 24 } = process.stdout;
    const colour = !process.env.NO_COLOR;
    // The last row stays free: a line end there would scroll the view.
    this.#screen.draw(renderLive(this.#model(), { columns, rows: rows - 1, colour }));
  }

  #model(): LiveModel {
    return {
      nowMs: Date.now(),
      startedMs: this.#startedMs,
      source: this.#options.source,
      radio: this.#figures,
      tags: this.#tags.rows(),
      endpoints: this.#endpoints,
      services: this.#services,
      notices: this.#notices,
    };
  }

  readonly #resized = () => {
    this.#screen.clear(this.#options.above);
    this.#redraw();
  };
}

/** A terminal that is gone, or too slow for one frame, is no reason to end. */
function writeTerminal(fd: 1 | 2, text: string): void {
  try {
    writeSync(fd, text);
  } catch {
    // the next frame draws everything again
  }
}
