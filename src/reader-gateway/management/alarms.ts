/** When what is wrong is reported: once it is there, and again at its interval while it lasts. */
import type { Component } from '../api/management-events.js';
import type { Subsystem } from './settings.js';

/** Something that is wrong now. */
export interface Finding {
  level: 'error' | 'warning';
  component: Component;
  /** As the configuration names it. */
  subsystem: Subsystem;
  /** Which one of several: an antenna, a connection, an application. */
  instance?: string;
  message: string;
  value?: number;
  threshold?: number;
  /** From report to report; 0 = one report. */
  intervalMs: number;
  /** How long it must have been there before it is reported. */
  holdMs?: number;
  /**
   * It comes and goes by its nature, as a measured value around its threshold does: it is not reported
   * again within the interval even if it was gone meanwhile.
   */
  wavers?: true;
}

interface Known {
  /** undefined: it is gone, and only kept because it wavers. */
  sinceMs: number | undefined;
  reportedMs: number | undefined;
  isThere: boolean;
  wavers: boolean;
  intervalMs: number;
}

export class Alarms {
  readonly #known = new Map<string, Known>();

  /** @returns Those of the findings that are to be reported now. */
  due(findings: readonly Finding[], nowMs: number): Finding[] {
    for (const known of this.#known.values()) known.isThere = false;
    const due = findings.filter((finding) => this.#isDue(finding, nowMs));
    for (const [key, known] of this.#known) {
      if (known.isThere) continue;
      const { reportedMs, wavers, intervalMs } = known;
      const keep = wavers && reportedMs !== undefined && nowMs < reportedMs + intervalMs;
      if (keep) known.sinceMs = undefined;
      else this.#known.delete(key);
    }
    return due;
  }

  #isDue(finding: Finding, nowMs: number): boolean {
    const { level, subsystem, instance = '', intervalMs, holdMs = 0, wavers = false } = finding;
    const key = JSON.stringify([level, subsystem, instance]);
    const before = this.#known.get(key);
    const sinceMs = before?.sinceMs ?? nowMs;
    const known = { sinceMs, reportedMs: before?.reportedMs, isThere: true, wavers, intervalMs };
    this.#known.set(key, known);
    if (nowMs < sinceMs + holdMs) return false;
    const isDue =
      known.reportedMs === undefined || (intervalMs > 0 && nowMs >= known.reportedMs + intervalMs);
    if (isDue) known.reportedMs = nowMs;
    return isDue;
  }
}
