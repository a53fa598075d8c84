/** A compiled mode, and what the radio's timing model says of it, in words for people. */
import {
  AccessOperation,
  type AntennaPlanInput,
  Bank,
  type PlanExplanation,
  ReportFilter,
  SelectFilter,
  Target,
} from '../../contract/messages.js';
import { counterToNumber } from '../../contract/time.js';
import type { ExplainedMode } from '../api/explain.js';
import type { CompiledMode } from './compile.js';

type Given = number | null | undefined;
const ms = (us: Given) => Math.round(us ?? 0) / 1000;
const tenth = (value: Given) => Math.round((value ?? 0) * 10) / 10;

const TARGETS: Record<number, string> = {
  [Target.TARGET_A]: 'A',
  [Target.TARGET_B]: 'B',
  [Target.TARGET_AB]: 'AB',
};
const SELS: Record<number, string> = {
  [SelectFilter.SELECT_FILTER_ALL]: 'ALL',
  [SelectFilter.SELECT_FILTER_SL]: 'SL',
  [SelectFilter.SELECT_FILTER_NOT_SL]: 'NOT_SL',
};

export function explainMode(
  { mode, visits, plan, ignored }: CompiledMode,
  explanation: PlanExplanation,
): ExplainedMode {
  return {
    type: mode.type,
    linkProfile: explanation.linkProfile,
    ...(explanation.linkProfileCandidates.length > 1
      ? { linkProfileCandidates: explanation.linkProfileCandidates }
      : {}),
    reportFilter: reportFilterText(plan.reportFilter),
    cycleMs: ms(explanation.cycleUs),
    tagsPerSecond: tenth(explanation.readsPerSecond),
    ceilingTagsPerSecond: tenth(explanation.ceilingReadsPerSecond),
    ...(ignored.length === 0
      ? {}
      : { ignored: ignored.map(({ field, message }) => `${field} ${message}`) }),
    antennas: explanation.antennas.map((one, index) => {
      const antenna: AntennaPlanInput = one.antenna ?? {};
      const query = antenna.query ?? {};
      return {
        antenna: visits[index]?.number ?? 0,
        port: antenna.port ?? 0,
        beam: antenna.beam ?? 0,
        powerDbm: (antenna.transmitPowerCdbm ?? 0) / 100,
        session: `S${query.session ?? 0}`,
        target: TARGETS[query.target ?? 0] ?? '',
        sel: SELS[query.sel ?? 0] ?? '',
        tagPopulation: query.tagPopulation ?? 0,
        dwell: dwellText(antenna, visits.length),
        selects: antenna.selects?.length ?? 0,
        access: (antenna.access ?? []).map(operationText),
        tags: one.tags ?? 0,
        roundMs: ms(one.roundUs),
        selectsMs: ms(one.selectsUs),
        accessMsPerTag: ms(one.accessUsPerTag),
        visitMs: ms(one.visitUs),
        readsPerVisit: tenth(one.reads),
        share: Math.round((one.share ?? 0) * 1e4) / 1e4,
        tagsPerSecond: tenth(one.readsPerSecond),
      };
    }),
  };
}

function dwellText({ dwell }: AntennaPlanInput, antennas: number): string {
  const { durationMs = 0, rounds = 0, input } = dwell ?? {};
  const parts: string[] = [];
  if (rounds) parts.push(rounds === 1 ? '1 round' : `${rounds} rounds`);
  if (durationMs) parts.push(`${durationMs} ms`);
  if (input) parts.push(`until input ${input.port} goes ${input.high ? 'HIGH' : 'LOW'}`);
  if (parts.length === 0) return `1 round, at most ${Math.round(1000 / antennas)} ms`;
  return parts.join(', at most ');
}

function operationText(operation: NonNullable<AntennaPlanInput['access']>[number]): string {
  const { kind = 0, bank = 0, wordPointer = 0, wordCount = 0, data } = operation;
  const { Kind } = AccessOperation;
  const name = Object.entries(Kind).find(([, value]) => value === kind)?.[0] ?? '';
  const bankName = (Object.entries(Bank).find(([, value]) => value === bank)?.[0] ?? '').replace(
    'BANK_',
    '',
  );
  // Passwords are not shown.
  if (kind === Kind.READ) {
    const words = wordCount ? `${wordCount} words` : 'all';
    return `${name} ${bankName} from ${wordPointer}: ${words}`;
  }
  if (kind === Kind.WRITE || kind === Kind.BLOCK_WRITE) {
    return `${name} ${bankName} from ${wordPointer}: ${(data?.length ?? 0) / 2} words`;
  }
  return name;
}

function reportFilterText(filter: CompiledMode['plan']['reportFilter']): string {
  const { kind = 0, scope = 0, periodMs } = filter ?? {};
  const { Kind, Scope } = ReportFilter;
  const seconds = counterToNumber(periodMs) / 1000;
  const where = scope === Scope.PER_ANTENNA ? 'on each antenna' : 'on the reader as a whole';
  switch (kind) {
    case Kind.EVERY_READ:
      return 'every read';
    case Kind.ONCE:
      return `once ${where}`;
    case Kind.PERIODIC:
      return `once in ${seconds} s ${where}`;
    default:
      return `at the end of each ${seconds} s ${where}`;
  }
}
