/** Pins of the radio module as inputs and outputs of the reader. */
import { SingulateError } from '../../shared/errors.js';
import type { NativeRadio } from '../addon/addon.js';
import type { LineHardware } from '../lines/lines.js';
import type { ModuleLink } from './module-link.js';

/** The native core sees inputs by itself; this is how soon others hear of them. */
const LOOK_MS = 20;

type Radio = Pick<NativeRadio, 'inputHigh' | 'setOutput'>;

export class ModuleLines implements LineHardware {
  readonly seenByLoop = true;
  readonly inputs: boolean[];
  readonly outputs: boolean[];
  #fault: string;
  readonly #radio: Radio;
  readonly #link: ModuleLink;
  #timer: NodeJS.Timeout | undefined;

  constructor(radio: Radio, link: ModuleLink, inputs: number, outputs: number) {
    this.#radio = radio;
    this.#link = link;
    this.inputs = Array.from({ length: inputs }, (_, i) => radio.inputHigh(i + 1));
    this.outputs = new Array<boolean>(outputs).fill(false);
    this.#fault = link.away;
  }

  get fault(): string {
    return this.#fault;
  }

  setOutput(port: number, high: boolean): void {
    const { away } = this.#link;
    if (away !== '') throw new SingulateError('UNAVAILABLE', away);
    this.#radio.setOutput(port, high);
    this.outputs[port - 1] = high;
    this.#link.tendLines();
  }

  watch(onInput: (port: number, high: boolean) => void, onFault: () => void): void {
    this.#timer = setInterval(() => {
      for (const [i, before] of this.inputs.entries()) {
        const high = this.#radio.inputHigh(i + 1);
        if (high === before) continue;
        this.inputs[i] = high;
        onInput(i + 1, high);
      }
      const { away } = this.#link;
      if (away === this.#fault) return;
      this.#fault = away;
      onFault();
    }, LOOK_MS);
    this.#timer.unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }
}
