/**
 * Calls on the system bus. The connection is made when it is needed, and made anew after any
 * trouble: a daemon that was restarted, a call without an answer.
 */
import type { Message, MessageBus } from '@jellybrick/dbus-next';
import { errorMessage, SingulateError } from '../../shared/errors.js';

export interface BusObject {
  destination: string;
  path: string;
  interface: string;
}

const CONNECT_MS = 5000;
const CALL_MS = 30_000;

/** Names of errors that say nothing of the call, but that nobody is there to take it. */
const NOBODY =
  /^org\.freedesktop\.DBus\.Error\.(ServiceUnknown|NameHasNoOwner|NoReply|Disconnected|Spawn\..*|TimedOut)$/;

export class BusClient {
  #connecting: Promise<MessageBus> | undefined;
  readonly #listeners = new Set<(message: Message) => void>();

  /** @param what Name of the other side, for messages. */
  constructor(private readonly what: string) {}

  /**
   * @returns The values of the answer.
   * @throws UNAVAILABLE if nobody answers; an error with the other side's text if it refuses.
   */
  async call(object: BusObject, member: string, signature = '', body: unknown[] = []) {
    const { Message } = await import('@jellybrick/dbus-next');
    const bus = await this.#bus();
    try {
      const message = new Message({ ...object, member, signature, body });
      const answer = await within(CALL_MS, bus.call(message));
      return answer?.body ?? [];
    } catch (error) {
      const type = (error as { type?: unknown }).type;
      if (typeof type === 'string' && !NOBODY.test(type)) {
        throw new BusRefusal(type, (error as { text?: string }).text || type);
      }
      this.#drop();
      throw this.#away(error);
    }
  }

  async property(object: BusObject, name: string): Promise<unknown> {
    const properties = { ...object, interface: 'org.freedesktop.DBus.Properties' };
    const [value] = await this.call(properties, 'Get', 'ss', [object.interface, name]);
    return plain(value);
  }

  /** Signals of an object come to the listener until `stop` of the answer is called. */
  async listen(object: BusObject, listener: (message: Message) => void): Promise<() => void> {
    this.#listeners.add(listener);
    const rule = `type='signal',sender='${object.destination}',path='${object.path}'`;
    try {
      await this.call(
        {
          destination: 'org.freedesktop.DBus',
          path: '/org/freedesktop/DBus',
          interface: 'org.freedesktop.DBus',
        },
        'AddMatch',
        's',
        [rule],
      );
    } catch (error) {
      this.#listeners.delete(listener);
      throw error;
    }
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    this.#drop();
  }

  #bus(): Promise<MessageBus> {
    this.#connecting ??= this.#connect().catch((error) => {
      this.#connecting = undefined;
      throw this.#away(error);
    });
    return this.#connecting;
  }

  async #connect(): Promise<MessageBus> {
    const { systemBus } = await import('@jellybrick/dbus-next');
    const bus = systemBus();
    bus.on('message', (message) => {
      for (const listener of this.#listeners) listener(message);
    });
    try {
      await within(
        CONNECT_MS,
        new Promise<void>((resolve, reject) => {
          bus.on('connect', resolve);
          // The library's types do not know this event; without a listener it would be fatal.
          (bus as NodeJS.EventEmitter).on('error', (error) => {
            reject(error);
            this.#drop(bus);
          });
        }),
      );
      return bus;
    } catch (error) {
      disconnect(bus);
      throw error;
    }
  }

  /** @param only Nothing is done if another connection has been made. */
  #drop(only?: MessageBus): void {
    const connecting = this.#connecting;
    void connecting?.then(
      (bus) => {
        if (only !== undefined && bus !== only) return;
        if (this.#connecting === connecting) this.#connecting = undefined;
        disconnect(bus);
      },
      () => {},
    );
  }

  #away(error: unknown): SingulateError {
    return new SingulateError(
      'UNAVAILABLE',
      `${this.what} does not answer: ${errorMessage(error)}`,
    );
  }
}

/** The other side has answered with an error. */
export class BusRefusal extends Error {
  constructor(
    readonly type: string,
    message: string,
  ) {
    super(message);
  }
}

/** A value without the wrapping of its type, whatever the depth. */
export function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return value;
  if ('signature' in value && 'value' in value) return plain(value.value);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
}

function disconnect(bus: MessageBus): void {
  try {
    bus.disconnect();
  } catch {
    // It never was connected.
  }
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms / 1000} s`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
