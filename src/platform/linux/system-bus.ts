/**
 * Calls to services on the system's D-Bus, and their signals. The connection is made with the first
 * call, and again with the next one after it was lost.
 */
import type { EventEmitter } from 'node:events';
import { DBusError, Message, type MessageBus, sessionBus, Variant } from '@jellybrick/dbus-next';
import { errorMessage, SingulateError } from '../../shared/errors.js';

const CALL_TIMEOUT_MS = 20_000;
const DEFAULT_ADDRESS = 'unix:path=/run/dbus/system_bus_socket';
const PROPERTIES = 'org.freedesktop.DBus.Properties';

/** Names of errors that say nothing of the call, but that nobody is there to take it. */
const NOBODY =
  /^org\.freedesktop\.DBus\.Error\.(ServiceUnknown|NameHasNoOwner|NoReply|Disconnected|Spawn\..*|TimedOut)$/;

export interface Target {
  destination: string;
  path: string;
  interface: string;
  /** Of the service, for messages; left out: the destination. */
  title?: string;
}

const DAEMON: Target = {
  destination: 'org.freedesktop.DBus',
  path: '/org/freedesktop/DBus',
  interface: 'org.freedesktop.DBus',
};

interface Subscription {
  target: Target;
  member: string;
  listener: (body: unknown[]) => void;
}

/** What the library keeps to itself: without it the end of an idle connection is not seen. */
interface Inner {
  _connection: EventEmitter & { stream?: { unref?(): void; destroy(): void } };
}

/** A service has answered with an error. */
export class ServiceRefusal extends SingulateError {
  /** @param type Name of the error on the bus. */
  constructor(
    readonly type: string,
    message: string,
  ) {
    super('UNAVAILABLE', message);
  }
}

export class SystemBus {
  #connecting: Promise<MessageBus> | undefined;
  #current: MessageBus | undefined;
  readonly #waiting = new Set<(error: Error) => void>();
  readonly #subscriptions = new Set<Subscription>();
  /** A call was given up: the library still waits for its answer. */
  #hasLateCalls = false;

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
    timeoutMs = this.timeoutMs,
  ): Promise<unknown> {
    return (await this.callForAll(target, member, signature, body, timeoutMs))[0];
  }

  /** @returns All values of the answer. @throws as call */
  async callForAll(
    target: Target,
    member: string,
    signature = '',
    body: readonly unknown[] = [],
    timeoutMs = this.timeoutMs,
  ): Promise<unknown[]> {
    const { title, ...to } = target;
    const what = title ?? to.destination;
    try {
      const answer = this.#send({ ...to, member, signature, body: [...body] });
      return await this.#within(timeoutMs, answer);
    } catch (error) {
      if (!(error instanceof DBusError)) {
        throw new SingulateError('UNAVAILABLE', `${what} ${member}: ${errorMessage(error)}`);
      }
      const { type, text = '' } = error;
      if (NOBODY.test(type)) {
        const reason = text === '' ? type : text;
        throw new SingulateError('UNAVAILABLE', `${what} ${member}: does not answer: ${reason}`);
      }
      const said = [type, text].filter((part) => part !== '').join(': ');
      throw new ServiceRefusal(type, `${what} ${member}: ${said}`);
    }
  }

  /** A property of an object, as a plain value. @throws UNAVAILABLE */
  async property(target: Target, name: string): Promise<unknown> {
    const properties = { ...target, interface: PROPERTIES };
    return plain(await this.call(properties, 'Get', 'ss', [target.interface, name]));
  }

  /** All properties of an object, as plain values. @throws UNAVAILABLE */
  async properties(target: Target): Promise<Record<string, unknown>> {
    const properties = { ...target, interface: PROPERTIES };
    const all = await this.call(properties, 'GetAll', 's', [target.interface]);
    return plain(all) as Record<string, unknown>;
  }

  /** Is anybody there who has this name? @throws UNAVAILABLE */
  async hasOwner(name: string): Promise<boolean> {
    return (await this.call(DAEMON, 'NameHasOwner', 's', [name])) === true;
  }

  /**
   * Signals of an object come to the listener; after the connection was lost, with the next call.
   * @returns Ends that. @throws UNAVAILABLE
   */
  async listen(
    target: Target,
    member: string,
    listener: (body: unknown[]) => void,
  ): Promise<() => void> {
    const subscription = { target, member, listener };
    await this.call(DAEMON, 'AddMatch', 's', [ruleOf(subscription)]);
    this.#subscriptions.add(subscription);
    return () => {
      this.#subscriptions.delete(subscription);
      this.call(DAEMON, 'RemoveMatch', 's', [ruleOf(subscription)]).catch(() => {
        // Rules end with the connection.
      });
    };
  }

  close(): void {
    this.#subscriptions.clear();
    this.#lose(new Error('the connection was closed'));
  }

  async #send(fields: object): Promise<unknown[]> {
    const bus = await this.#bus();
    return (await bus.call(new Message(fields)))?.body ?? [];
  }

  #bus(): Promise<MessageBus> {
    if (this.#connecting !== undefined) return this.#connecting;
    const connecting = this.#connect();
    this.#connecting = connecting;
    connecting.catch(() => {
      if (this.#connecting === connecting) this.#connecting = undefined;
    });
    return connecting;
  }

  async #connect(): Promise<MessageBus> {
    // Of the library's two names for one thing this one takes an address.
    const bus = sessionBus({ busAddress: this.address });
    // From now on: one that never gets through its greeting is given up as well.
    this.#current = bus;
    const { _connection: connection } = bus as unknown as Inner;
    const connected = new Promise<void>((resolve, reject) => {
      const lost = (error: Error) => {
        reject(error);
        this.#lose(error, bus);
        connection.stream?.destroy();
      };
      bus.on('connect', resolve);
      (bus as EventEmitter).on('error', lost);
      connection.on('end', () => lost(new Error('the system bus has gone')));
    });
    bus.on('message', (message) => this.#take(message));
    await connected;
    // An idle connection does not keep a service that ends.
    connection.stream?.unref?.();
    for (const subscription of this.#subscriptions) {
      const body = [ruleOf(subscription)];
      await bus.call(new Message({ ...DAEMON, member: 'AddMatch', signature: 's', body }));
    }
    return bus;
  }

  #take({ path, interface: from, member, body }: Message): void {
    for (const { target, member: wanted, listener } of this.#subscriptions) {
      if (path === target.path && from === target.interface && member === wanted) listener(body);
    }
  }

  /** @param only Nothing is done if another connection has been made. */
  #lose(error: Error, only?: MessageBus): void {
    const bus = this.#current;
    if (only !== undefined && bus !== undefined && only !== bus) return;
    this.#current = undefined;
    this.#connecting = undefined;
    this.#hasLateCalls = false;
    (bus as unknown as Inner | undefined)?._connection.stream?.destroy();
    for (const fail of [...this.#waiting]) fail(error);
  }

  async #within<T>(ms: number, work: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    let fail = (_error: Error): void => {};
    const failed = new Promise<never>((_resolve, reject) => {
      fail = reject;
      timer = setTimeout(() => {
        this.#hasLateCalls = true;
        reject(new Error('does not answer in time'));
      }, ms);
    });
    this.#waiting.add(fail);
    // Both may fail; one is told.
    work.catch(() => {});
    failed.catch(() => {});
    try {
      return await Promise.race([work, failed]);
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(fail);
      if (this.#hasLateCalls && this.#waiting.size === 0) this.#lose(new Error('given up'));
    }
  }
}

function ruleOf({ target, member }: Subscription): string {
  const { destination, path, interface: from } = target;
  return `type='signal',sender='${destination}',path='${path}',interface='${from}',member='${member}'`;
}

/** Dictionaries of variants, as calls take and give them. */
export type VariantDict = Record<string, Variant>;

/** A value without the wrapping of its types, whatever the depth. */
export function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return value;
  if (value instanceof Variant) return plain(value.value);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
}
