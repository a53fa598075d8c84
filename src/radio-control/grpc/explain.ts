/** ExplainPlan and ExplainTag: what a plan would do, and why a tag was (not) reported. */
import type {
  ExplainPlanRequest,
  PlanExplanationInput,
  TagExplanationInput,
} from '../../contract/messages.js';
import { invalid } from '../../shared/errors.js';
import type { Inventory } from '../inventory.js';

const DEFAULT_EPC_WORDS = 6;

export function explainPlan(
  inventory: Inventory,
  { plan, tags, epcWords }: ExplainPlanRequest,
): PlanExplanationInput {
  const explained = inventory.explain(plan ?? {}, tags, epcWords || DEFAULT_EPC_WORDS);
  const { prediction } = explained;
  const { native } = explained.plan;
  if (prediction === null) {
    throw invalid([{ field: 'link_profile', message: 'the timing model does not know it' }]);
  }
  const cycleUs = prediction.antennas.reduce((sum, { visitUs }) => sum + visitUs, 0);
  const reads = prediction.antennas.reduce((sum, antenna) => sum + antenna.reads, 0);
  return {
    linkProfile: prediction.linkProfile,
    linkProfileCandidates: [...(native.linkProfileCandidates ?? [])],
    cycleUs,
    readsPerSecond: cycleUs > 0 ? (reads / cycleUs) * 1e6 : 0,
    ceilingReadsPerSecond: prediction.ceilingPerSecond,
    antennas: prediction.antennas.map(({ visitUs, ...antenna }, index) => {
      const { memoryFrom: _from, memoryCount: _count, ...given } = native.antennas[index] ?? {};
      return {
        antenna: given,
        ...antenna,
        visitUs,
        share: cycleUs > 0 ? visitUs / cycleUs : 0,
        readsPerSecond: visitUs > 0 ? (antenna.reads / visitUs) * 1e6 : 0,
      };
    }),
  };
}

export function explainTag(inventory: Inventory, epc: Uint8Array): TagExplanationInput {
  const known = inventory.explainTag(epc);
  if (known === undefined) return { summary: 'there was no inventory yet' };
  const { idFiltered } = known;
  const sightings = known.sightings.map(({ port, beam, reads, reportedMs, nextReportMs }) => ({
    antenna: port,
    beam,
    reads,
    reportedNs: nanoseconds(reportedMs),
    nextReportNs: nanoseconds(nextReportMs),
  }));
  return { sightings, idFiltered, summary: summary(idFiltered, known.sightings) };
}

function summary(
  idFiltered: boolean,
  sightings: readonly { reportedMs?: number | undefined; nextReportMs?: number | undefined }[],
): string {
  if (idFiltered) return 'the id filter holds it back';
  if (sightings.length === 0) return 'it was not read (see too_weak and held_back of the counters)';
  if (sightings.some(({ reportedMs }) => reportedMs === undefined)) {
    return 'it was read, and waits for the end of the interval';
  }
  return sightings.some(({ nextReportMs }) => nextReportMs !== undefined)
    ? 'it was reported, and the report filter holds it back for a while'
    : 'it was reported';
}

function nanoseconds(ms: number | undefined): number {
  return Math.round((ms ?? 0) * 1e6);
}
