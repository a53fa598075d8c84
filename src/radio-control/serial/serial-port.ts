/**
 * Serial lines by the serialport package, for what is not urgent: looking for modules, loading
 * firmware. The package is optional and loaded only here; reading tags does without it.
 */
import type { SerialPort as Port } from 'serialport';
import { configError, errorMessage } from '../../shared/errors.js';

export interface PortFacts {
  path: string;
  manufacturer?: string;
  serialNumber?: string;
  /** Of USB, hexadecimal. */
  vendorId?: string;
  productId?: string;
}

async function loadPackage(): Promise<typeof import('serialport')> {
  try {
    return await import('serialport');
  } catch (error) {
    const reason = errorMessage(error).split('\n')[0];
    throw configError(`the npm package serialport is not there (${reason}); npm install adds it`);
  }
}

/** All serial lines of this machine. @throws CONFIG, or an Error if the system cannot list them. */
export async function listPorts(): Promise<PortFacts[]> {
  const { SerialPort } = await loadPackage();
  try {
    const ports = await SerialPort.list();
    return ports.map(({ path, manufacturer, serialNumber, vendorId, productId }) => ({
      path,
      ...(manufacturer === undefined ? {} : { manufacturer }),
      ...(serialNumber === undefined ? {} : { serialNumber }),
      ...(vendorId === undefined ? {} : { vendorId }),
      ...(productId === undefined ? {} : { productId }),
    }));
  } catch (error) {
    // The package asks udev, which a small Linux does not have.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      const { sysfsPorts } = await import('./sysfs-ports.js');
      return sysfsPorts();
    }
    throw new Error(
      `the serial lines of this machine cannot be listed (${errorMessage(error)}); name them: singulate modules /dev/ttyUSB0`,
    );
  }
}

/** An answer may be on its way through this process. */
const LATE_MS = 5;

/** One line, for one user at a time. */
export class SerialLine {
  readonly #port: Port;
  #onBytes: ((bytes: Buffer) => void) | undefined;
  #fault: Error | undefined;
  #onFault: ((fault: Error) => void) | undefined;

  private constructor(port: Port) {
    this.#port = port;
    port.on('data', (bytes: Buffer) => this.#onBytes?.(bytes));
    port.on('error', (error: Error) => this.#failed(error));
    port.on('close', () => this.#failed(new Error('the serial line is gone')));
  }

  /** Raw, 8N1, locked against others. @throws Error with what is wrong */
  static async open(path: string, baudRate: number): Promise<SerialLine> {
    const { SerialPort } = await loadPackage();
    const port = new SerialPort({ path, baudRate, autoOpen: false, lock: true });
    await new Promise<void>((resolve, reject) => {
      port.open((error) => (error ? reject(new Error(openFault(error))) : resolve()));
    });
    return new SerialLine(port);
  }

  /** Waits until it is let go of: the next one may open it. */
  async close(): Promise<void> {
    this.#onBytes = undefined;
    this.#onFault = undefined;
    if (!this.#port.isOpen) return;
    await new Promise<void>((resolve) => this.#port.close(() => resolve()));
  }

  async setBaudRate(baudRate: number): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#port.update({ baudRate }, (error) => (error ? reject(error) : resolve()));
    });
  }

  /**
   * Sends, and looks at what comes back.
   * @param take Is given bytes as they come; anything but undefined is the answer.
   * @returns undefined if there was no answer in time. @throws Error if the line is gone
   */
  async ask<T>(
    bytes: Uint8Array,
    timeoutMs: number,
    take: (bytes: Buffer) => T | undefined,
  ): Promise<T | undefined> {
    if (this.#fault !== undefined) throw this.#fault;
    try {
      return await new Promise<T | undefined>((resolve, reject) => {
        let timer = setTimeout(() => {
          // What has come while this process was busy is handed over before it is too late.
          timer = setTimeout(() => resolve(undefined), LATE_MS);
        }, timeoutMs);
        this.#onFault = (fault) => {
          clearTimeout(timer);
          reject(fault);
        };
        this.#onBytes = (came) => {
          const answer = take(came);
          if (answer === undefined) return;
          clearTimeout(timer);
          resolve(answer);
        };
        if (bytes.length > 0) this.#port.write(Buffer.from(bytes));
      });
    } finally {
      this.#onBytes = undefined;
      this.#onFault = undefined;
    }
  }

  /** Lets bytes pass until none has come for so long. */
  async untilQuiet(quietMs: number, longestMs: number): Promise<void> {
    const end = Date.now() + longestMs;
    while (Date.now() < end) {
      const came = await this.ask(new Uint8Array(), quietMs, () => true);
      if (came === undefined) return;
    }
  }

  #failed(error: Error): void {
    this.#fault = error;
    this.#onFault?.(error);
  }
}

function openFault(error: Error): string {
  const { message } = error;
  if (/lock|busy/i.test(message)) return 'in use by another program';
  if (/permission/i.test(message)) return 'this user may not open it';
  if (/no such file/i.test(message)) return 'there is no such line';
  if (/inappropriate ioctl|not a (tty|typewriter)/i.test(message)) return 'is no serial line';
  return message.replace(/^Error:? */, '').replace(/, cannot open .*$/, '');
}
