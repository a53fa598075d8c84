/** Keeps control of the radio: takes the lease, renews it, and takes it again after a restart. */
import { status } from '@grpc/grpc-js';
import type { RadioClient } from '../contract/client.js';
import { Backoff } from '../shared/backoff.js';
import { isFinal } from './describe-error.js';

export interface ControlOptions {
  /** Name of this client, 1..64 characters. */
  owner: string;
  /** How long the service keeps control for this client if it vanishes; default 10000. */
  ttlMs?: number;
  /** Also from a client that has it. */
  takeover?: boolean;
}

export interface ControlHandlers {
  /**
   * Control was gained: again after each loss. If it rejects, onTrouble is told, and it is called
   * again a while later if control is still there.
   */
  onControl(leaseId: string): void | Promise<void>;
  /** Something failed, and is tried again; once for each outage. */
  onTrouble(error: unknown): void;
  /** It is given up: this client may not control, or asks for what cannot be. */
  onFinal(error: unknown): void;
}

export interface ControlHolder {
  /** Of the lease that is held; '' = none. */
  readonly leaseId: string;
  /** Ends it, and gives control back. */
  release(): Promise<void>;
}

const DEFAULT_TTL_MS = 10_000;

/** Renewed so many times while it is valid: one call may get lost. */
const RENEWALS = 3;

export function holdControl(
  client: RadioClient,
  options: ControlOptions,
  handlers: ControlHandlers,
): ControlHolder {
  const ttlMs = options.ttlMs ?? DEFAULT_TTL_MS;
  const backoff = new Backoff({ firstMs: 100, maxMs: 2000 });
  let leaseId = '';
  let ended = false;
  let wake = () => {};
  /** Of the lease that onControl has done its work with. */
  let served = '';
  let serving: Promise<void> | undefined;
  let troubled = false;

  const trouble = (error: unknown) => {
    if (!troubled) handlers.onTrouble(error);
    troubled = true;
  };
  const sleep = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const keep = async () => {
    if (leaseId !== '') {
      try {
        await client.renewControl(leaseId);
        return;
      } catch (error) {
        // Another client took it, or the service was restarted. All else may pass.
        if ((error as { code?: number }).code !== status.FAILED_PRECONDITION) throw error;
        leaseId = '';
      }
    }
    const { owner, takeover = false } = options;
    ({ leaseId } = await client.acquireControl({ owner, ttlMs, takeover }));
  };

  const serve = async (lease: string) => {
    try {
      await handlers.onControl(lease);
      served = lease;
      troubled = false;
    } catch (error) {
      trouble(error);
    }
    serving = undefined;
  };

  const run = async () => {
    while (!ended) {
      try {
        await keep();
      } catch (error) {
        if (isFinal(error)) {
          handlers.onFinal(error);
          return;
        }
        trouble(error);
        if (!ended) await sleep(backoff.next());
        continue;
      }
      backoff.reset();
      if (served === leaseId) troubled = false;
      else if (!ended) serving ??= serve(leaseId);
      if (!ended) await sleep(ttlMs / RENEWALS);
    }
  };
  const running = run();

  return {
    get leaseId() {
      return leaseId;
    },
    async release() {
      ended = true;
      wake();
      await running;
      await serving;
      const lease = leaseId;
      leaseId = '';
      if (lease !== '') await client.releaseControl(lease);
    },
  };
}
