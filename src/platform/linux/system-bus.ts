/** Calls to services on the system's D-Bus. */
import { createRequire } from 'node:module';
import { errorMessage, SingulateError } from '../../shared/errors.js';

const CALL_TIMEOUT_MS = 20_000;
const DEFAULT_ADDRESS = 'unix:path=/run/dbus/system_bus_socket';

/** A variant as the library takes it: its signature and its value. */
export type Variant = readonly [signature: string, value: unknown];
export type VariantDict = Record<string, Variant>;

export interface Target {
  destination: string;
  path: string;
  interface: string;
}

/** The part of the library that is used; its own types say less. */
interface Connection {
  on(event: 'error' | 'end', handler: (error?: Error) => void): void;
  end(): void;
  stream: { unref?(): void; destroy(): void };
}
interface Bus {
  connection: Connection;
  invoke(
    message: object,
    callback: (error: { name?: string; message?: unknown } | undefined, value: unknown) => void,
  ): void;
}
interface Library {
  createClient(options: { busAddress: string; authMethods: string[] }): Bus;
}

export class SystemBus {
  #bus: Bus | undefined;
  readonly #waiting = new Set<(error: Error) => void>();

  /** @param address Of the bus; left out: the system's. */
  constructor(
    private readonly address = process.env.DBUS_SYSTEM_BUS_ADDRESS ?? DEFAULT_ADDRESS,
    private readonly timeoutMs = CALL_TIMEOUT_MS,
  ) {}

  /** @returns The first value of the answer. @throws UNAVAILABLE with what the service says. */
  async call(
    target: Target,
    member: string,
    signature = '',
    body: readonly unknown[] = [],
  ): Promise<unknown> {
    const what = `${target.destination} ${member}`;
    try {
      return await this.#invoke({
        ...target,
        member,
        ...(signature === '' ? {} : { signature, body }),
      });
    } catch (error) {
      throw new SingulateError('UNAVAILABLE', `${what}: ${errorMessage(error)}`);
    }
  }

  /** A property of an object. @throws UNAVAILABLE */
  async property(target: Target, name: string): Promise<unknown> {
    const properties = { ...target, interface: 'org.freedesktop.DBus.Properties' };
    return contentOf(await this.call(properties, 'Get', 'ss', [target.interface, name]));
  }

  close(): void {
    this.#lost(new Error('the connection was closed'));
  }

  #invoke(message: object): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const done = () => {
        clearTimeout(timer);
        this.#waiting.delete(fail);
      };
      const fail = (error: Error) => {
        done();
        reject(error);
      };
      const timer = setTimeout(() => fail(new Error('no answer in time')), this.timeoutMs);
      this.#waiting.add(fail);
      try {
        this.#connected().invoke(message, (error, value) => {
          if (error) return fail(new Error(textOf(error)));
          done();
          resolve(value);
        });
      } catch (error) {
        fail(error as Error);
      }
    });
  }

  /** Connects with the first call, and again with the first call after it was lost. */
  #connected(): Bus {
    if (this.#bus !== undefined) return this.#bus;
    const { createClient } = createRequire(import.meta.url)('@homebridge/dbus-native') as Library;
    const bus = createClient({ busAddress: this.address, authMethods: ['EXTERNAL'] });
    this.#bus = bus;
    const lost = (error = new Error('the system bus has gone')) => {
      if (this.#bus === bus) this.#lost(error);
    };
    bus.connection.on('error', lost);
    bus.connection.on('end', () => lost());
    // An idle connection does not keep a service that ends.
    bus.connection.stream.unref?.();
    return bus;
  }

  #lost(error: Error): void {
    const bus = this.#bus;
    this.#bus = undefined;
    bus?.connection.stream.destroy();
    for (const fail of [...this.#waiting]) fail(error);
  }
}

/** Errors of services come as a name and a list with a text. */
function textOf({ name, message }: { name?: string; message?: unknown }): string {
  const text = Array.isArray(message) ? message.filter((part) => part !== '').join(' ') : message;
  return [name, text].filter((part) => part !== undefined && part !== '').join(': ');
}

/** The library gives a variant as its parsed signature and a list with its value. */
export function contentOf(variant: unknown): unknown {
  const [, values] = variant as [unknown, unknown[]];
  return values[0];
}

/** A dictionary of variants, as the library gives it: pairs of a key and a variant. */
export function dictOf(pairs: unknown): Record<string, unknown> {
  return Object.fromEntries(
    (pairs as [string, unknown][]).map(([key, variant]) => [key, contentOf(variant)]),
  );
}

/** A dictionary of variants, as the library takes it. */
export function pairsOf(dict: VariantDict): [string, Variant][] {
  return Object.entries(dict);
}

interface SignatureTree {
  type: string;
  child: readonly SignatureTree[];
}

/** A variant that was read, as the library takes it back. */
export function sameVariant(variant: unknown): Variant {
  const [[tree], values] = variant as [[SignatureTree], unknown[]];
  return [signatureOf(tree), sameValue(tree, values[0])];
}

function signatureOf({ type, child }: SignatureTree): string {
  const inner = child.map(signatureOf).join('');
  if (type === '{') return `{${inner}}`;
  return type === '(' ? `(${inner})` : `${type}${inner}`;
}

/** Variants are read and written in different forms, however deep they are. */
function sameValue({ type, child }: SignatureTree, value: unknown): unknown {
  if (type === 'v') return sameVariant(value);
  if (type === 'a') {
    const [of] = child as [SignatureTree];
    // Bytes come as a buffer, and are taken as one.
    return of.type === 'y' ? value : (value as unknown[]).map((one) => sameValue(of, one));
  }
  if (type !== '{' && type !== '(') return value;
  return child.map((one, index) => sameValue(one, (value as unknown[])[index]));
}
