/** Inputs and outputs of a reader with GPIO chips. The chips are doubles of the addon's class. */
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { Line, type LinesUpdateInput } from '../../src/contract/messages.js';
import type { GpioChipOptions, NativeGpioChip } from '../../src/radio-control/addon/addon.js';
import { GpioLines } from '../../src/radio-control/lines/gpio-lines.js';
import { parseGpio } from '../../src/radio-control/lines/gpio-option.js';
import { Lines } from '../../src/radio-control/lines/lines.js';
import { createLogger } from '../../src/shared/log.js';

const log = createLogger('test', { fd: 2, level: 'silent' });

/** The hardware behind all chips of a test. */
class Board {
  readonly levels = new Map<string, boolean>();
  readonly chips: FakeChip[] = [];
  unplugged = false;
  opened = 0;

  readonly open = (options: GpioChipOptions, onReadable: () => void): NativeGpioChip => {
    if (this.unplugged) throw new Error(`${options.path}: cannot be opened: No such file`);
    this.opened++;
    const chip = new FakeChip(this, options, onReadable);
    this.chips.push(chip);
    return chip;
  };

  high(path: string, offset: number): boolean {
    return this.levels.get(`${path} ${offset}`) ?? false;
  }

  set(path: string, offset: number, high: boolean): void {
    this.levels.set(`${path} ${offset}`, high);
  }

  /** A level changes, and its chip tells. */
  edge(path: string, offset: number, high: boolean, lost = 0): void {
    this.set(path, offset, high);
    for (const chip of this.chips) chip.edge(path, offset, high, lost);
  }

  unplug(): void {
    this.unplugged = true;
    for (const chip of this.chips) chip.fail();
  }
}

class FakeChip implements NativeGpioChip {
  #changes: { index: number; high: boolean }[] = [];
  #lost = 0;
  #fault = '';
  closed = false;

  constructor(
    private readonly board: Board,
    readonly options: GpioChipOptions,
    private readonly onReadable: () => void,
  ) {
    const { path, outputs, outputLevels } = options;
    for (const [i, high] of (outputLevels ?? []).entries()) board.set(path, outputs[i] ?? -1, high);
  }

  edge(path: string, offset: number, high: boolean, lost: number): void {
    const index = this.options.inputs.indexOf(offset);
    if (this.closed || path !== this.options.path || index < 0) return;
    this.#lost += lost;
    if (lost === 0) this.#changes.push({ index, high });
    this.onReadable();
  }

  fail(): void {
    if (this.closed) return;
    this.#fault = `${this.options.path}: the chip is gone: No such device`;
    this.onReadable();
  }

  take() {
    const changes = this.#changes;
    this.#changes = [];
    const inputs = this.options.inputs.map((one) => this.board.high(this.options.path, one));
    return { changes, inputs, lost: this.#lost, fault: this.#fault };
  }

  firstOutputs(): boolean[] {
    return this.options.outputs.map((one) => this.board.high(this.options.path, one));
  }

  setOutput(index: number, high: boolean): void {
    if (this.board.unplugged) throw new Error(`${this.options.path}: No such device`);
    this.board.set(this.options.path, this.options.outputs[index] ?? -1, high);
  }

  close(): void {
    this.closed = true;
  }
}

function lines(t: Test, board: Board, gpio: string) {
  const told: string[] = [];
  const hardware = new GpioLines(parseGpio(gpio), board.open, log);
  const loop = {
    setInput: (port: number, high: boolean) => void told.push(`${port} ${high ? 'high' : 'low'}`),
    inputHigh: () => true,
  };
  const all = new Lines({ inputs: 2, outputs: 3, loop, hardware });
  t.teardown(() => all.close());
  const updates: LinesUpdateInput[] = [];
  all.watch({ send: (update) => updates.push(update) > 0 });
  return { all, told, updates };
}

const A = '/dev/gpiochip0';
const B = '/dev/gpiochip1';

t.test('inputs of hardware drive the loop as told ones do, and cannot be told', async (t) => {
  const board = new Board();
  board.set(A, 27, true);
  const { all, told, updates } = lines(t, board, `${A}:gpi=17,27 ${B}:gpi=3:gpo=4`);
  t.equal(all.inputCount, 3);
  t.equal(all.outputCount, 1);
  t.strictSame(told, ['1 low', '2 high', '3 low'], 'the loop knows the levels at once');
  board.edge(B, 3, true);
  board.edge(A, 17, true);
  t.strictSame(told.slice(3), ['3 high', '1 high']);
  t.match(updates.slice(1), [
    { lines: [{ kind: Line.Kind.INPUT, port: 3, high: true, hardware: true }] },
    { lines: [{ kind: Line.Kind.INPUT, port: 1, high: true, hardware: true }] },
  ]);
  t.throws(() => all.setInput(1, false), { code: 'STATE', message: /input 1 is a line of this/ });
});

t.test('outputs are driven; those of the chip are where they were', async (t) => {
  const board = new Board();
  board.set(B, 4, true);
  const { all } = lines(t, board, `${A}:gpo=22,23 ${B}:gpo=4:active-low=gpo`);
  t.strictSame(
    all
      .list()
      .lines.filter(({ kind }) => kind === Line.Kind.OUTPUT)
      .map(({ high }) => high),
    [false, false, true],
  );
  all.setOutput(2, true);
  all.setOutput(3, false);
  t.ok(board.high(A, 23));
  t.notOk(board.high(A, 22));
  t.notOk(board.high(B, 4));
  t.match(board.chips[1]?.options, { outputsActiveLow: true, inputsActiveLow: false });
  // Without inputs of hardware they are told, as many as the model has.
  t.equal(all.inputCount, 2);
  all.setInput(2, false);
  t.match(all.list().lines[1], { kind: Line.Kind.INPUT, port: 2, high: false, hardware: false });
});

t.test('where changes were lost the levels are right', async (t) => {
  const board = new Board();
  const { all, told } = lines(t, board, `${A}:gpi=1,2`);
  board.edge(A, 2, true, 3);
  t.strictSame(told.slice(2), ['2 high']);
  t.match(all.list().lines[1], { port: 2, high: true });
});

t.test('a chip that goes is told, and comes back with its outputs', async (t) => {
  const board = new Board();
  const { all, told, updates } = lines(t, board, `${A}:gpi=17:gpo=22`);
  all.setOutput(1, true);
  board.unplug();
  const fault = `${A}: the chip is gone: No such device`;
  t.match(updates.at(-1), { lines: [], fault });
  t.equal(all.list().fault, fault);
  t.throws(() => all.setOutput(1, false), { code: 'UNAVAILABLE', message: fault });
  t.match(all.list().lines[1], { port: 1, high: true }, 'nothing changed');
  for (let i = 0; i < 1000 && all.list().fault === fault; i++) await sleep(10);
  t.match(all.list().fault, /cannot be opened/, 'it was tried again');
  board.unplugged = false;
  board.levels.clear();
  board.set(A, 17, true);
  for (let i = 0; i < 1000 && all.list().fault !== ''; i++) await sleep(10);
  t.equal(all.list().fault, '');
  t.ok(board.high(A, 22), 'the output is as it was set');
  t.strictSame(told.slice(1), ['1 high'], 'an input that moved meanwhile is told');
  t.equal(updates.at(-1)?.fault, '');
});

t.test(
  'a line that cannot be had at the start is a wrong setting; no chip stays open',
  async (t) => {
    const board = new Board();
    const open = (options: GpioChipOptions, onReadable: () => void) => {
      if (options.path === B) throw new Error(`${B}: line 4 is in use by spi0 CS1`);
      return board.open(options, onReadable);
    };
    t.throws(() => new GpioLines(parseGpio(`${A}:gpi=1 ${B}:gpo=4`), open, log), {
      code: 'CONFIG',
      message: `--gpio: ${B}: line 4 is in use by spi0 CS1`,
    });
    t.ok(board.chips.every(({ closed }) => closed));
  },
);

t.test('the option names chips, lines, polarity, bias and debounce', async (t) => {
  t.strictSame(parseGpio(`${A}:gpi=17,27:gpo=22:debounce=20:bias=pull-up:active-low=gpi`), [
    {
      path: A,
      inputs: [17, 27],
      outputs: [22],
      inputsActiveLow: true,
      outputsActiveLow: false,
      bias: 'pull-up',
      debounceMs: 20,
    },
  ]);
  t.match(parseGpio(`${A}:gpi=1  ${B}:gpo=2`), [{ debounceMs: 5, bias: 'as-is' }, { path: B }]);
  for (const [text, message] of [
    ['', /nothing given/],
    ['gpiochip0:gpi=1', /gpiochip0 is not the path of a chip/],
    [A, /names no line/],
    [`${A}:gpi=`, /gpi: "" is not the number of a line, 0\.\.65535/],
    [`${A}:gpi=1,1`, /line 1 of \/dev\/gpiochip0 is there twice/],
    [`${A}:gpi=1:gpo=1`, /line 1 of \/dev\/gpiochip0 is there twice/],
    [`${A}:gpi=1:gpi=2`, /gpi is there twice/],
    [`${A}:gpx=1`, /"gpx=1" is not known/],
    [`${A}:gpi=1:debounce=2000`, /debounce: "2000" is not a number of milliseconds, 0\.\.1000/],
    [`${A}:gpi=1:bias=up`, /bias: "up" is not one of as-is, off, pull-up, pull-down/],
    [`${A}:gpi=1:active-low=all`, /active-low: "all" is not one of gpi, gpo/],
    [`${A}:gpi=${Array.from({ length: 17 }, (_, i) => i)}`, /17 inputs; at most 16/],
  ] as const) {
    t.throws(() => parseGpio(text), { code: 'CONFIG', message }, text);
  }
});
