/** The steps of a test, one after the other, each within its time. */
import { performance } from 'node:perf_hooks';
import { errorMessage } from '../../shared/errors.js';
import {
  type ConnectionTest,
  STEPS,
  type StepName,
  type TestStep,
} from '../api/connection-test.js';

/**
 * A text: the step is not needed, for this reason. A function: it answers what it found, or throws
 * why it failed. It must let go of everything when the signal comes; it comes at the end of each step.
 */
export type StepWork = string | ((signal: AbortSignal) => Promise<string>);

/** Why a step failed, in words for the person who set up the connection. */
export class StepFailure extends Error {
  constructor(
    message: string,
    /** The step that is to blame, if it is an earlier one. */
    readonly blamed?: StepName,
  ) {
    super(message);
  }
}

const STEP_MS = 5000;
const ALL_MS = 15_000;

export async function runSteps(work: Record<StepName, StepWork>): Promise<ConnectionTest> {
  const end = performance.now() + ALL_MS;
  const steps: TestStep[] = [];
  let failed = false;
  for (const step of STEPS) {
    const own = work[step];
    if (typeof own === 'string') {
      steps.push({ step, result: 'not needed', ms: 0, detail: own });
    } else if (failed) {
      steps.push(notTried(step));
    } else {
      const started = performance.now();
      const outcome = await runOne(own, Math.min(STEP_MS, end - started));
      const ms = Math.round(performance.now() - started);
      failed = outcome.result === 'failed';
      const blamed = steps.find((earlier) => earlier.step === outcome.blamed);
      if (blamed === undefined) {
        steps.push({ step, result: outcome.result, ms, detail: outcome.detail });
      } else {
        blamed.result = 'failed';
        blamed.detail = outcome.detail;
        steps.push(notTried(step));
      }
    }
  }
  return { ok: !failed, steps };
}

function notTried(step: StepName): TestStep {
  return { step, result: 'not tried', ms: 0, detail: '' };
}

interface Outcome {
  result: 'ok' | 'failed';
  detail: string;
  blamed?: StepName | undefined;
}

async function runOne(work: Exclude<StepWork, string>, ms: number): Promise<Outcome> {
  const controller = new AbortController();
  const late = new Promise<never>((_resolve, reject) => {
    const text = `no answer within ${Math.round(ms / 100) / 10} s`;
    controller.signal.addEventListener('abort', () => reject(new StepFailure(text)));
  });
  const timer = setTimeout(() => controller.abort(), ms);
  try {
    return { result: 'ok', detail: await Promise.race([work(controller.signal), late]) };
  } catch (error) {
    const blamed = error instanceof StepFailure ? error.blamed : undefined;
    return { result: 'failed', detail: errorMessage(error), blamed };
  } finally {
    clearTimeout(timer);
    // Whatever the step still holds on to is not needed any more.
    controller.abort();
  }
}
