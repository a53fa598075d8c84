/** What the live view shows. */
import type { RadioFigures } from '../radio-watch.js';
import type { ServiceState } from '../service.js';

export interface TagRow {
  epc: string;
  antenna: number;
  rssiDbm: number;
  reads: number;
  lastSeenMs: number;
}

export interface EndpointRow {
  interface: string;
  name: string;
  type: string;
  state: string;
  error?: string;
  sent: number;
  retained: number;
  dropped: number;
}

export interface ServiceRow {
  name: string;
  state: ServiceState;
  restarts: number;
}

export interface LiveModel {
  nowMs: number;
  startedMs: number;
  source: string;
  radio: RadioFigures | undefined;
  /** Of each antenna the newest first. */
  tags: readonly TagRow[];
  endpoints: readonly EndpointRow[];
  services: readonly ServiceRow[];
  /** The newest last. */
  notices: readonly string[];
}
