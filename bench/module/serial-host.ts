/** The commands of the driver's look at a module, by the serialport package. */
import { encodeCommand, ReplyReader } from '../../src/radio-control/serial/mercury-frame.js';
import { SerialLine } from '../../src/radio-control/serial/serial-port.js';

const BAUD = 115_200;
const ANSWER_MS = 1000;
const TEMPERATURE = 0x72;
const GET_ANTENNAS = 0x61;
const DETECT = Uint8Array.of(0x05);
const PORTS = 4;

export class SerialHost {
  private constructor(private readonly line: SerialLine) {}

  static async open(path: string): Promise<SerialHost> {
    return new SerialHost(await SerialLine.open(path, BAUD));
  }

  close(): Promise<void> {
    return this.line.close();
  }

  async health(): Promise<void> {
    await this.#ask(TEMPERATURE);
    for (let port = 0; port < PORTS; port++) await this.#ask(GET_ANTENNAS, DETECT);
  }

  async #ask(opcode: number, data?: Uint8Array): Promise<void> {
    const reader = new ReplyReader();
    const reply = await this.line.ask(encodeCommand(opcode, data), ANSWER_MS, (bytes) =>
      reader.take(bytes).find((one) => one.opcode === opcode),
    );
    if (reply === undefined) throw new Error('the module does not answer');
  }
}
