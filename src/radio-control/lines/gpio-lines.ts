/** Lines of this machine's GPIO chips. A chip that goes is opened again, for ever. */
import { Backoff } from '../../shared/backoff.js';
import { configError, errorMessage, SingulateError } from '../../shared/errors.js';
import type { Logger } from '../../shared/log.js';
import type { GpioChipOptions, NativeGpioChip } from '../addon/addon.js';
import type { GpioChipSpec } from './gpio-option.js';
import type { LineHardware } from './lines.js';

export type OpenGpioChip = (options: GpioChipOptions, onReadable: () => void) => NativeGpioChip;

export class GpioLines implements LineHardware {
  readonly #chips: ChipLines[];
  #onInput: (port: number, high: boolean) => void = () => {};
  #onFault: () => void = () => {};

  /** @throws CONFIG if a line cannot be had. */
  constructor(specs: readonly GpioChipSpec[], openChip: OpenGpioChip, log: Logger) {
    let firstInput = 1;
    this.#chips = [];
    for (const spec of specs) {
      const first = firstInput;
      const handlers = {
        onInput: (index: number, high: boolean) => this.#onInput(first + index, high),
        onFault: () => this.#onFault(),
      };
      const chip = new ChipLines(spec, openChip, log, handlers);
      try {
        chip.open();
      } catch (error) {
        this.close();
        throw configError(`--gpio: ${errorMessage(error)}`);
      }
      this.#chips.push(chip);
      firstInput += spec.inputs.length;
    }
  }

  get inputs(): boolean[] {
    return this.#chips.flatMap((chip) => chip.inputs);
  }

  get outputs(): boolean[] {
    return this.#chips.flatMap((chip) => chip.outputs);
  }

  get fault(): string {
    return this.#chips.map(({ fault }) => fault).find((fault) => fault !== '') ?? '';
  }

  setOutput(port: number, high: boolean): void {
    let index = port - 1;
    for (const chip of this.#chips) {
      if (index >= 0 && index < chip.outputs.length) chip.setOutput(index, high);
      index -= chip.outputs.length;
    }
  }

  watch(onInput: (port: number, high: boolean) => void, onFault: () => void): void {
    this.#onInput = onInput;
    this.#onFault = onFault;
  }

  close(): void {
    for (const chip of this.#chips) chip.close();
  }
}

/** The lines of one chip, by their place in its spec. */
class ChipLines {
  inputs: boolean[] = [];
  outputs: boolean[] = [];
  fault = '';
  #chip: NativeGpioChip | undefined;
  #lost = 0;
  #timer: NodeJS.Timeout | undefined;
  readonly #backoff = new Backoff({ firstMs: 500, maxMs: 10_000 });

  constructor(
    private readonly spec: GpioChipSpec,
    private readonly openChip: OpenGpioChip,
    private readonly log: Logger,
    private readonly handlers: {
      onInput(index: number, high: boolean): void;
      onFault(): void;
    },
  ) {}

  /** @throws Error of the addon */
  open(): void {
    const { debounceMs, ...same } = this.spec;
    const again = this.outputs.length > 0 ? { outputLevels: this.outputs } : {};
    const options = { ...same, ...again, debounceUs: debounceMs * 1000 };
    const chip = this.openChip(options, () => this.#take());
    this.#chip = chip;
    this.#lost = 0;
    this.outputs = chip.firstOutputs();
    if (this.inputs.length === 0) this.inputs = chip.take().inputs;
    else this.#take();
  }

  setOutput(index: number, high: boolean): void {
    if (this.#chip === undefined) throw new SingulateError('UNAVAILABLE', this.fault);
    try {
      this.#chip.setOutput(index, high);
    } catch (error) {
      throw new SingulateError('UNAVAILABLE', errorMessage(error));
    }
    this.outputs[index] = high;
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#chip?.close();
    this.#chip = undefined;
  }

  // Called from the native core. An error must not leave this function: it would vanish.
  #take(): void {
    // A wake may still be on its way when the chip is closed.
    if (this.#chip === undefined) return;
    try {
      const { changes, inputs, lost, fault } = this.#chip.take();
      for (const { index, high } of changes) this.#note(index, high);
      for (const [index, high] of inputs.entries()) this.#note(index, high);
      if (lost > this.#lost) {
        this.log.warn({ chip: this.spec.path, lost: lost - this.#lost }, 'input changes lost');
        this.#lost = lost;
      }
      if (fault !== '') this.#gone(fault);
    } catch (error) {
      this.log.error({ err: error }, 'the inputs cannot be taken');
    }
  }

  #note(index: number, high: boolean): void {
    if (this.inputs[index] === high) return;
    this.inputs[index] = high;
    this.handlers.onInput(index, high);
  }

  #gone(fault: string): void {
    this.close();
    this.log.error({ chip: this.spec.path, fault }, 'inputs and outputs are gone');
    this.#setFault(fault);
    this.#tryLater();
  }

  #tryLater(): void {
    this.#timer = setTimeout(() => {
      try {
        this.open();
      } catch (error) {
        this.#setFault(errorMessage(error));
        this.#tryLater();
        return;
      }
      // It may be gone again already.
      if (this.#chip === undefined) return;
      this.#backoff.reset();
      this.log.info({ chip: this.spec.path }, 'inputs and outputs are back');
      this.#setFault('');
    }, this.#backoff.next());
  }

  #setFault(fault: string): void {
    if (fault === this.fault) return;
    this.fault = fault;
    this.handlers.onFault();
  }
}
