/** gpi objects of the interface: {port, signal, debounceTime}. */

import type { ReaderModel } from '../../shared/reader-model/reader-model.js';
import type { Gpi } from '../api/mode.js';
import type { Problems } from './problems.js';

/** The contract's InputLevel. */
export interface InputPlan {
  port: number;
  high: boolean;
  debounceMs: number;
}

export function compileGpi(
  gpi: Gpi,
  field: string,
  model: ReaderModel,
  problems: Problems,
): InputPlan {
  if (gpi.port > model.gpis) {
    problems.add(`${field}.port`, `${gpi.port} is above the reader's ${model.gpis} inputs`);
  }
  return { port: gpi.port, high: gpi.signal === 'HIGH', debounceMs: gpi.debounceTime ?? 0 };
}

export function compileGpis(
  gpis: readonly Gpi[] | undefined,
  field: string,
  model: ReaderModel,
  problems: Problems,
): InputPlan[] {
  return (gpis ?? []).map((gpi, i) => compileGpi(gpi, `${field}[${i}]`, model, problems));
}
