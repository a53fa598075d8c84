/**
 * General purpose inputs and outputs: the one place that knows their levels. Inputs are watched by
 * this service (hardware), or told by others; outputs are driven, or remembered.
 */
import { Line, type LineInput } from '../../contract/messages.js';
import { invalid, SingulateError } from '../../shared/errors.js';
import { type LineTransport, LineWatcher } from './line-watcher.js';

/** The radio's loop, which starts and stops by the levels of inputs. */
export interface InputLoop {
  setInput(port: number, high: boolean): void;
  inputHigh(port: number): boolean;
}

/** Real lines. Ports count from 1. */
export interface LineHardware {
  /** Levels by port; none: inputs are told by others. */
  readonly inputs: readonly boolean[];
  /** Levels by port; none: outputs are only remembered. */
  readonly outputs: readonly boolean[];
  /** The loop sees the inputs by itself, and is not told of them. */
  readonly seenByLoop?: boolean;
  /** Why levels may be out of date; '' = all is well. */
  readonly fault: string;
  /** @throws UNAVAILABLE */
  setOutput(port: number, high: boolean): void;
  /** Tells of each input that changes, and when the fault changed. */
  watch(onInput: (port: number, high: boolean) => void, onFault: () => void): void;
  close(): void;
}

export interface LinesOptions {
  /** How many there are, of those that are no hardware. */
  inputs: number;
  outputs: number;
  loop: InputLoop;
  hardware?: LineHardware | undefined;
  /** Inputs that the radio module moves by itself: a scenario does. */
  scripted?: readonly number[];
  /** Told of each change of a level. */
  onChange?: ((line: LineInput) => void) | undefined;
}

const { INPUT, OUTPUT } = Line.Kind;

/** The air's own clock moves scripted inputs: nobody tells of a change. */
const SCRIPT_LOOK_MS = 20;

export class Lines {
  readonly #loop: InputLoop;
  readonly #hardware: LineHardware | undefined;
  /** By port - 1. */
  readonly #inputs: boolean[];
  readonly #outputs: boolean[];
  readonly #watchers = new Set<LineWatcher>();
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #onChange: (line: LineInput) => void;

  constructor({ inputs, outputs, loop, hardware, scripted = [], onChange }: LinesOptions) {
    this.#loop = loop;
    this.#onChange = onChange ?? (() => {});
    this.#hardware = hardware;
    this.#inputs = this.#inputsAreHardware
      ? [...(hardware?.inputs ?? [])]
      : Array.from({ length: inputs }, (_, i) => loop.inputHigh(i + 1));
    this.#outputs = this.#outputsAreHardware
      ? [...(hardware?.outputs ?? [])]
      : new Array<boolean>(outputs).fill(false);
    const tell = (port: number, high: boolean) => {
      if (!hardware?.seenByLoop) loop.setInput(port, high);
    };
    if (this.#inputsAreHardware) {
      for (const [i, high] of this.#inputs.entries()) tell(i + 1, high);
    }
    hardware?.watch(
      (port, high) => {
        tell(port, high);
        this.#note(INPUT, this.#inputs, port, high);
      },
      () => this.#reportFault(),
    );
    const moving = this.#inputsAreHardware ? [] : scripted.filter((port) => port <= inputs);
    if (moving.length > 0) {
      this.#timer = setInterval(() => {
        for (const port of moving) {
          this.#note(INPUT, this.#inputs, port, loop.inputHigh(port));
        }
      }, SCRIPT_LOOK_MS);
      this.#timer.unref();
    }
  }

  get inputCount(): number {
    return this.#inputs.length;
  }

  get outputCount(): number {
    return this.#outputs.length;
  }

  list(): { lines: LineInput[]; fault: string } {
    const of = (kind: number, levels: readonly boolean[], hardware: boolean) =>
      levels.map((high, i) => ({ kind, port: i + 1, high, hardware }));
    return {
      lines: [
        ...of(INPUT, this.#inputs, this.#inputsAreHardware),
        ...of(OUTPUT, this.#outputs, this.#outputsAreHardware),
      ],
      fault: this.#hardware?.fault ?? '',
    };
  }

  /** Somebody tells an input. @throws INVALID, STATE */
  setInput(port: number, high: boolean): void {
    checkPort(port, this.#inputs.length, 'inputs');
    if (this.#inputsAreHardware) {
      throw new SingulateError(
        'STATE',
        `input ${port} is a line of this machine: it moves by itself`,
      );
    }
    this.#loop.setInput(port, high);
    this.#note(INPUT, this.#inputs, port, high);
  }

  /** @throws INVALID, UNAVAILABLE */
  setOutput(port: number, high: boolean): void {
    checkPort(port, this.#outputs.length, 'outputs');
    if (this.#outputsAreHardware) this.#hardware?.setOutput(port, high);
    this.#note(OUTPUT, this.#outputs, port, high);
  }

  /** Tells all levels at once, then each change. */
  watch(transport: LineTransport): LineWatcher {
    const watcher: LineWatcher = new LineWatcher(
      transport,
      () => this.list(),
      () => this.#watchers.delete(watcher),
    );
    this.#watchers.add(watcher);
    watcher.begin();
    return watcher;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#hardware?.close();
  }

  get #inputsAreHardware(): boolean {
    return (this.#hardware?.inputs.length ?? 0) > 0;
  }

  get #outputsAreHardware(): boolean {
    return (this.#hardware?.outputs.length ?? 0) > 0;
  }

  #note(kind: number, levels: boolean[], port: number, high: boolean): void {
    if (levels[port - 1] === high) return;
    levels[port - 1] = high;
    const hardware = kind === INPUT ? this.#inputsAreHardware : this.#outputsAreHardware;
    const line = { kind, port, high, hardware };
    for (const watcher of this.#watchers) watcher.push(line);
    this.#onChange(line);
  }

  #reportFault(): void {
    for (const watcher of this.#watchers) watcher.faultChanged();
  }
}

function checkPort(port: number, count: number, what: string): void {
  if (port >= 1 && port <= count) return;
  const allowed = count === 0 ? `this reader has no ${what}` : `allowed: 1..${count}`;
  throw invalid([{ field: 'port', message: `${port} given; ${allowed}` }]);
}
