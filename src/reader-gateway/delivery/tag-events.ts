/** From reads to the events of endpoints: as they are, or through the directionality engine. */
import type { TagReadInput } from '../../contract/messages.js';
import { timeNsToMs } from '../../contract/time.js';
import type { DirectionEvent } from '../directionality/engine.js';
import { Directionality } from '../directionality/engine.js';
import type { CompiledMode } from '../mode/compile.js';
import { toHex } from './access-texts.js';
import { splitDirectionEvent } from './direction-event.js';
import type { SplitEvent } from './event-bytes.js';
import { type ReaderIdentity, TagEventFormatter } from './tag-event.js';

/** How often a directionality engine without reads is told the time. */
const ADVANCE_MS = 250;

export class TagEvents {
  readonly #identity: ReaderIdentity;
  readonly #offer: (event: SplitEvent) => void;
  #mode: CompiledMode | undefined;
  #formatter: TagEventFormatter | undefined;
  #engine: Directionality | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Air time and wall time of the last read. */
  #last = { airMs: 0, wallMs: 0 };

  constructor(identity: ReaderIdentity, offer: (event: SplitEvent) => void) {
    this.#identity = identity;
    this.#offer = offer;
  }

  take(reads: readonly TagReadInput[], mode: CompiledMode): void {
    if (mode !== this.#mode) this.#begin(mode);
    if (this.#engine !== undefined) {
      for (const read of reads) this.#locate(read, this.#engine, mode);
      return;
    }
    // One formatter per mode: most of the text of an event is the same for all of them.
    const formatter = this.#formatter as TagEventFormatter;
    for (const read of reads) this.#offer(formatter.format(read));
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #begin(mode: CompiledMode): void {
    clearInterval(this.#timer);
    this.#mode = mode;
    this.#formatter = new TagEventFormatter(mode.content, this.#identity);
    const { directionality } = mode;
    this.#engine =
      directionality === undefined ? undefined : new Directionality(directionality.settings);
    if (this.#engine !== undefined) {
      this.#timer = setInterval(() => this.#advance(), ADVANCE_MS);
      this.#timer.unref();
    }
  }

  #locate(read: TagReadInput, engine: Directionality, mode: CompiledMode): void {
    const antenna = read.beam ?? 0;
    const beam = mode.directionality?.beams.get(antenna);
    if (beam === undefined) return;
    const timeMs = timeNsToMs(read.timeNs ?? 0);
    this.#last = { airMs: timeMs, wallMs: performance.now() };
    const rssiCdbm = read.rssiCdbm ?? 0;
    this.#send(engine.take({ idHex: toHex(read.epc), timeMs, antenna, ...beam, rssiCdbm }));
  }

  /** Tags time out also when no read comes any more. */
  #advance(): void {
    const since = performance.now() - this.#last.wallMs;
    if (this.#engine === undefined || this.#last.airMs === 0 || since < ADVANCE_MS) return;
    this.#send(this.#engine.advance(this.#last.airMs + since));
  }

  #send(events: readonly DirectionEvent[]): void {
    for (const event of events) this.#offer(splitDirectionEvent(event));
  }
}
