/** Draws lines over the lines drawn before, without flicker; leaves the terminal as it was. */
const HIDE_CURSOR = '\x1b[?25l';
const SHOW_CURSOR = '\x1b[?25h';
const CLEAR_LINE_END = '\x1b[K';
const CLEAR_BELOW = '\x1b[J';
const CLEAR_ALL = '\x1b[2J\x1b[H';
/** Terminals that know it show everything in between at once; the others ignore it. */
const BEGIN_UPDATE = '\x1b[?2026h';
const END_UPDATE = '\x1b[?2026l';

export class Screen {
  readonly #write: (text: string) => void;
  #drawn = 0;

  /** @param write Writes to the terminal, at once: the last one is called while the process exits. */
  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  draw(lines: readonly string[]): void {
    const up = this.#drawn === 0 ? '' : `\x1b[${this.#drawn}A`;
    const body = lines.map((line) => `${line}${CLEAR_LINE_END}\n`).join('');
    this.#write(`${BEGIN_UPDATE}${HIDE_CURSOR}${up}\r${body}${CLEAR_BELOW}${END_UPDATE}`);
    this.#drawn = lines.length;
  }

  /** After a change of size nobody knows where the lines are: everything is drawn again. */
  clear(above: readonly string[]): void {
    this.#write(`${CLEAR_ALL}${above.join('\n')}\n`);
    this.#drawn = 0;
  }

  /** May be called again. */
  restore(): void {
    this.#write(SHOW_CURSOR);
  }
}
