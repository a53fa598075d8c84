/**
 * Who controls the radio: one client by a lease that ends unless it is renewed, so that a client
 * that is stuck never holds the reader. While nobody has it, everybody may control.
 */
import { randomUUID } from 'node:crypto';
import { invalid, SingulateError, type Violation } from '../../shared/errors.js';

const DEFAULT_TTL_MS = 10_000;
const MIN_TTL_MS = 1000;
const MAX_TTL_MS = 3_600_000;
const MAX_OWNER = 64;

export interface Lease {
  leaseId: string;
  owner: string;
  ttlMs: number;
  /** Wall clock, for people; the end itself is kept by a monotonic clock. */
  expiresMs: number;
}

export interface ControlChange {
  why: 'acquired' | 'taken over' | 'released' | 'expired';
  /** '' = nobody. */
  owner: string;
  previousOwner: string;
}

export class Control {
  readonly #onChange: (change: ControlChange) => void;
  #lease: Lease | undefined;
  #timer: NodeJS.Timeout | undefined;
  #takeovers = 0;

  constructor(onChange: (change: ControlChange) => void) {
    this.#onChange = onChange;
  }

  /** undefined: nobody has control. */
  get lease(): Readonly<Lease> | undefined {
    return this.#lease;
  }

  /** Times that control was taken from a client that had it. */
  get takeovers(): number {
    return this.#takeovers;
  }

  /** @throws INVALID; STATE if another client has control. */
  acquire(owner: string, ttlMs: number, takeover: boolean): Lease & { takenFrom: string } {
    checkAcquire(owner, ttlMs);
    const before = this.#lease;
    if (before !== undefined && !takeover) throw held(before.owner);
    if (before !== undefined) this.#takeovers++;
    this.#lease = {
      leaseId: randomUUID(),
      owner,
      ttlMs: ttlMs || DEFAULT_TTL_MS,
      expiresMs: 0,
    };
    const lease = this.#extend(this.#lease);
    const previousOwner = before?.owner ?? '';
    this.#onChange({ why: before ? 'taken over' : 'acquired', owner, previousOwner });
    return { ...lease, takenFrom: previousOwner };
  }

  /** @throws STATE if the lease is over. */
  renew(leaseId: string): Lease {
    if (this.#lease?.leaseId !== leaseId) throw lost(this.#lease?.owner);
    return { ...this.#extend(this.#lease) };
  }

  /** Of a lease that is over: nothing. */
  release(leaseId: string): void {
    if (this.#lease?.leaseId === leaseId) this.#end('released');
  }

  /**
   * Of a call that controls; it renews the lease that it names.
   * @param leaseId '' = none.
   * @returns Name of who has control; '' = nobody.
   * @throws STATE if the caller may not control now.
   */
  check(leaseId: string): string {
    if (leaseId !== '') return this.renew(leaseId).owner;
    if (this.#lease !== undefined) throw held(this.#lease.owner);
    return '';
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #extend(lease: Lease): Lease {
    clearTimeout(this.#timer);
    lease.expiresMs = Date.now() + lease.ttlMs;
    this.#timer = setTimeout(() => this.#end('expired'), lease.ttlMs);
    this.#timer.unref();
    return lease;
  }

  #end(why: 'released' | 'expired'): void {
    clearTimeout(this.#timer);
    const previousOwner = this.#lease?.owner ?? '';
    this.#lease = undefined;
    this.#onChange({ why, owner: '', previousOwner });
  }
}

function held(owner: string): SingulateError {
  return new SingulateError(
    'STATE',
    `${owner} has control; wait until it gives it back, or take it over (AcquireControl.takeover)`,
    [],
    undefined,
    { reason: 'CONTROL_HELD', metadata: { owner } },
  );
}

function lost(owner: string | undefined): SingulateError {
  const now = owner === undefined ? 'nobody has control now' : `${owner} has control now`;
  return new SingulateError('STATE', `lease_id: the lease is over; ${now}`, [], undefined, {
    reason: 'CONTROL_LOST',
    metadata: { owner: owner ?? '' },
  });
}

function checkAcquire(owner: string, ttlMs: number): void {
  const violations: Violation[] = [];
  if (owner.length < 1 || owner.length > MAX_OWNER) {
    const message = `${owner.length} characters given; allowed: 1..${MAX_OWNER}`;
    violations.push({ field: 'owner', message });
  }
  if (ttlMs !== 0 && (ttlMs < MIN_TTL_MS || ttlMs > MAX_TTL_MS)) {
    const message = `${ttlMs} given; allowed: 0 (${DEFAULT_TTL_MS}), ${MIN_TTL_MS}..${MAX_TTL_MS}`;
    violations.push({ field: 'ttl_ms', message });
  }
  if (violations.length > 0) throw invalid(violations);
}
