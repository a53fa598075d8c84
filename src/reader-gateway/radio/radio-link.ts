/** The gRPC side: the connection to radio-control, its facts and its calls. */
import { status as grpcStatus, type ServiceError } from '@grpc/grpc-js';
import { RadioClient } from '../../contract/client.js';
import { errorDetails } from '../../contract/error-details.js';
import { followReads } from '../../contract/follow-reads.js';
import { followStream } from '../../contract/follow-stream.js';
import {
  type Capabilities,
  type LogLevel,
  type PlanExplanation,
  type RadioEvents,
  RadioState,
  type RadioStatus,
  type ReadBatch,
  type Region,
} from '../../contract/messages.js';
import { Cached } from '../../shared/cached.js';
import { debugLine } from '../../shared/debug-line.js';
import { invalid, isSingulateError, SingulateError } from '../../shared/errors.js';
import type { Logger } from '../../shared/log.js';
import type { CompiledMode } from '../mode/compile.js';
import { modeViolations } from '../mode/plan-paths.js';
import { allVisits, type Visit } from '../mode/visits.js';
import { modelOf } from '../reader-model/find-model.js';
import { RadioPulse } from './radio-pulse.js';

/** Name of this service at the radio. */
export const OWNER = 'reader-gateway';

const CONTROL_HELD = 'CONTROL_HELD';

/**
 * Reads wait at most this long to travel together; the first of an idle stream never waits. What a
 * message costs both services is nearly the same however many reads it has.
 */
const MAX_LATENCY_MS = 10;

/** However often clients ask for statistics, the radio is asked no more often than this. */
const STATUS_AGE_MS = 100;
const ANTENNAS_AGE_MS = 1000;

/** What changes the state of the radio; inputs, antennas and single tags do not. */
const STATE_EVENTS = [
  'inventoryStarted',
  'inventoryEnded',
  'moduleConnected',
  'moduleLost',
  'controlChanged',
] as const satisfies readonly (keyof RadioEvents['events'][number])[];

export interface RadioLinkHandlers {
  onConnected(): void;
  onBatch(batch: ReadBatch): void;
}

export interface RadioRegions {
  /** None: the region of the radio cannot be chosen. */
  regions: readonly Region[];
  /** The one that holds; '' = unknown. */
  region: string;
  channelsKhz: number[];
}

export class RadioLink {
  readonly #client: RadioClient;
  readonly #log: Logger;
  #connected = false;
  #capabilities: Capabilities | undefined;
  #status: RadioStatus | undefined;
  #stop: () => void = () => {};
  #unwatch: () => void = () => {};
  readonly #recentStatus = new Cached(() => this.status(), STATUS_AGE_MS);
  readonly #recentAntennas = new Cached(async () => {
    const capabilities = await this.capabilities();
    return allVisits(capabilities, modelOf(capabilities));
  }, ANTENNAS_AGE_MS);
  readonly #onConnected: (() => void)[] = [];
  readonly #pulse = new RadioPulse({
    probe: () => this.#answered(this.#client.getCapabilities()),
    onSilent: () => this.#lost('it does not answer'),
    onHeard: () => this.#found(),
  });
  /** The read stream is open; the service behind it may hang all the same. */
  #isOpen = false;
  #handlers: RadioLinkHandlers | undefined;

  /** @param target gRPC target of radio-control: `unix:/path/radio.sock`. */
  constructor(target: string, log: Logger) {
    this.#client = new RadioClient(target, undefined, (outcome) =>
      debugLine(log, 'call of the radio service', () => outcome),
    );
    this.#log = log;
  }

  /** Connects, for ever. @returns When the first try is over, connected or not. */
  open(handlers: RadioLinkHandlers): Promise<void> {
    this.#handlers = handlers;
    this.#pulse.open();
    return new Promise((resolve) => {
      this.#stop = followReads(
        this.#client,
        { maxLatencyMs: MAX_LATENCY_MS, clientName: OWNER },
        {
          onConnected: () => {
            this.#isOpen = true;
            this.#pulse.heard();
            this.#found();
            resolve();
          },
          onDisconnected: (reason) => {
            this.#isOpen = false;
            this.#lost(reason);
            resolve();
          },
          onBatch: (batch) => {
            this.#pulse.heard();
            handlers.onBatch(batch);
          },
        },
      );
    });
  }

  /** The stream is open, and the service answers. */
  #found(): void {
    if (this.#connected || !this.#isOpen) return;
    this.#connected = true;
    this.#forget();
    this.#log.info('radio service connected');
    this.#handlers?.onConnected();
    for (const work of this.#onConnected) work();
  }

  #lost(reason: string): void {
    if (this.#connected) this.#log.warn({ reason }, 'radio service lost');
    this.#connected = false;
    this.#forget();
  }

  /** A call of whatever kind. @throws UNAVAILABLE of a service that hangs, or what the call throws. */
  #ask<T>(call: () => Promise<T>): Promise<T> {
    return this.#pulse.ask(() => this.#answered(call()));
  }

  /** Notes that the service has answered; a refusal is an answer as well. */
  async #answered<T>(call: Promise<T>): Promise<T> {
    try {
      const answer = await call;
      this.#pulse.answered();
      return answer;
    } catch (error) {
      if (!isSingulateError(toSingulateError(error), 'UNAVAILABLE')) this.#pulse.answered();
      throw error;
    }
  }

  /** Calls whenever the radio may be in another state than before, no matter by whom. For ever, too. */
  watch(onChange: () => void): void {
    this.#unwatch = followStream(() => this.#client.watchEvents(), {
      onMessage: ({ events }) => {
        this.#pulse.heard();
        const changes = events.some((event) => STATE_EVENTS.some((name) => event[name] != null));
        if (!changes) return;
        this.#forget();
        onChange();
      },
    });
  }

  #forget(): void {
    this.#recentStatus.forget();
    this.#recentAntennas.forget();
  }

  close(): void {
    this.#pulse.close();
    this.#stop();
    this.#unwatch();
    this.#client.close();
  }

  /** True if the radio service and the radio module behind it are there. */
  get isConnected(): boolean {
    return this.#connected && this.#status?.state !== RadioState.RADIO_STATE_DISCONNECTED;
  }

  /** As the interface has it, by the last known status. */
  get activity(): 'active' | 'inactive' {
    const { state, waiting = false } = this.#status ?? {};
    const isReading = state === RadioState.RADIO_STATE_READING && !waiting;
    return this.isConnected && isReading ? 'active' : 'inactive';
  }

  /** The present capabilities, or the last known ones. @throws UNAVAILABLE if none are known. */
  async capabilities(): Promise<Capabilities> {
    try {
      const capabilities = await this.#ask(() => this.#client.getCapabilities());
      // A service that never saw its module knows no antennas.
      if (capabilities.antennas.length > 0) this.#capabilities = capabilities;
    } catch (error) {
      if (this.#capabilities === undefined) throw toSingulateError(error);
    }
    if (this.#capabilities === undefined) {
      throw new SingulateError('UNAVAILABLE', 'the radio is not connected');
    }
    return this.#capabilities;
  }

  /** As capabilities(), but never those of before. @throws UNAVAILABLE */
  async presentCapabilities(): Promise<Capabilities> {
    try {
      return await this.#ask(() => this.#client.getCapabilities());
    } catch (error) {
      throw toSingulateError(error);
    }
  }

  /** The present status. @throws UNAVAILABLE */
  async status(): Promise<RadioStatus> {
    try {
      this.#status = await this.#ask(() => this.#client.getStatus());
      return this.#status;
    } catch (error) {
      throw toSingulateError(error);
    }
  }

  /** The status of a moment ago; never one of before something that this service did. @throws UNAVAILABLE */
  recentStatus(): Promise<RadioStatus> {
    return this.#recentStatus.read();
  }

  /**
   * The antennas of at most a second ago: ports, or the beams of an array-type reader.
   * @throws UNAVAILABLE if none are known.
   */
  recentAntennas(): Promise<readonly Visit[]> {
    return this.#recentAntennas.read();
  }

  /** The last known status; undefined before the first. */
  get lastStatus(): RadioStatus | undefined {
    return this.#status;
  }

  /**
   * @returns Identity of the inventory.
   * @throws INVALID, STATE (an inventory runs already), UNAVAILABLE
   */
  async start(compiled: CompiledMode): Promise<string> {
    try {
      const { plan } = compiled;
      const { inventoryId } = await this.#ask(() =>
        this.#client.startInventory({ plan, owner: OWNER }),
      );
      return inventoryId;
    } catch (error) {
      throw refusedMode(error, compiled);
    } finally {
      this.#forget();
    }
  }

  /**
   * Goes on with another plan at the end of the running round.
   * @returns Number that the plan's reads carry.
   * @throws INVALID, STATE (that inventory does not run any more), UNAVAILABLE
   */
  async change(compiled: CompiledMode, inventoryId: string): Promise<number> {
    try {
      const { plan } = compiled;
      return (await this.#ask(() => this.#client.changePlan({ plan, inventoryId }))).plan;
    } catch (error) {
      throw refusedMode(error, compiled);
    }
  }

  /** The regions that can be set, and the one that holds. @throws UNAVAILABLE */
  async regions(): Promise<RadioRegions> {
    try {
      const { regions, region, channelsKhz } = await this.#ask(() => this.#client.listRegions());
      // As they are received every field has a value.
      return { regions: regions as Region[], region, channelsKhz };
    } catch (error) {
      throw toSingulateError(error);
    }
  }

  /** @param channelsKhz None = all of the region. @throws INVALID, STATE (it reads), UNAVAILABLE */
  async setRegion(region: string, channelsKhz: number[]): Promise<void> {
    try {
      await this.#ask(() => this.#client.setRegion({ region, channelsKhz }));
    } catch (error) {
      throw toSingulateError(error, 'the region');
    }
  }

  /** What the plan would do. @throws INVALID, UNAVAILABLE */
  async explain(compiled: CompiledMode, tags = 0): Promise<PlanExplanation> {
    try {
      const { plan } = compiled;
      return await this.#ask(() => this.#client.explainPlan({ plan, tags }));
    } catch (error) {
      throw refusedMode(error, compiled);
    }
  }

  /** Beside the handlers of open(): called at each connection, also at a new one after a loss. */
  onConnected(work: () => void): void {
    this.#onConnected.push(work);
  }

  /** @throws INVALID, UNAVAILABLE */
  async setLogLevel(level: LogLevel): Promise<void> {
    try {
      await this.#ask(() => this.#client.setLogLevel({ level }));
    } catch (error) {
      throw toSingulateError(error);
    }
  }

  /** @throws STATE (this radio cannot), UNAVAILABLE */
  async setPacketLog(on: boolean): Promise<void> {
    try {
      await this.#ask(() => this.#client.setPacketLog({ on }));
    } catch (error) {
      throw toSingulateError(error);
    }
  }

  /** Stops whatever inventory runs. @throws UNAVAILABLE */
  async stop(): Promise<void> {
    try {
      await this.#ask(() => this.#client.stopInventory());
    } catch (error) {
      throw toSingulateError(error);
    } finally {
      this.#forget();
    }
  }
}

function stateError(error: unknown, details: string): SingulateError {
  const { reason, metadata } = errorDetails(error);
  if (reason !== CONTROL_HELD) return new SingulateError('STATE', details);
  const text = `${metadata.owner} controls the radio, by gRPC; it must give control back first`;
  return new SingulateError('STATE', text, [], undefined, { reason, metadata });
}

/** Another client of the radio service has control: nothing was changed, and nothing can be. */
export function isHeld(error: unknown): boolean {
  return isSingulateError(error, 'STATE') && error.info?.reason === CONTROL_HELD;
}

/** The error for a refused plan of a mode: what the radio refuses of it is named as the mode has it. */
function refusedMode(error: unknown, compiled: CompiledMode): SingulateError {
  const found = toSingulateError(error, 'the mode');
  const { violations } = errorDetails(error);
  if (found.code !== 'INVALID' || violations.length === 0) return found;
  const own = invalid(modeViolations(violations, compiled));
  return new SingulateError('INVALID', `the radio refuses ${own.message}`, own.violations);
}

/** What a call to radio-control that failed means. @param what It was to take. */
export function toSingulateError(error: unknown, what = 'the mode'): SingulateError {
  if (isSingulateError(error)) return error;
  const { code, details, message } = error as Partial<ServiceError>;
  // grpc-js, of a call after close(): this service ends.
  if (message === 'Channel has been shut down') {
    return new SingulateError('UNAVAILABLE', 'the radio is not connected');
  }
  switch (code) {
    case grpcStatus.INVALID_ARGUMENT:
      return new SingulateError('INVALID', `the radio refuses ${what}: ${details}`);
    case grpcStatus.FAILED_PRECONDITION:
      return stateError(error, details ?? 'the radio is in use');
    case grpcStatus.UNAVAILABLE:
    case grpcStatus.DEADLINE_EXCEEDED:
    case grpcStatus.CANCELLED:
      return new SingulateError('UNAVAILABLE', 'the radio is not connected');
    default:
      return new SingulateError('INTERNAL', `radio service: ${details ?? String(error)}`);
  }
}
