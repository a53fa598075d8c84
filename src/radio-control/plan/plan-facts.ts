/** A plan for the log: what it asks for, without the passwords and the data of its access operations. */
import type { CompiledPlan } from './compile-plan.js';

/** Antennas beyond it are counted only: those of an array reader mostly do the same. */
const MOST_ANTENNAS = 8;

export function planFacts({ native, filter, idFilter }: CompiledPlan): object {
  const { antennas, linkProfile, delayAfterSelectsUs, cycleDelay, start, stop } = native;
  return {
    antennaCount: antennas.length,
    antennas: antennas.slice(0, MOST_ANTENNAS).map((antenna) => ({
      port: antenna.port,
      beam: antenna.beam,
      powerCdbm: antenna.transmitPowerCdbm,
      query: antenna.query,
      dwell: antenna.dwell,
      selects: antenna.selects.length,
      access: antenna.access.length,
    })),
    linkProfile,
    delayAfterSelectsUs,
    cycleDelay,
    start: { ...start, atNs: String(start.atNs) },
    stop,
    reportFilter: filter,
    idFilter: idFilter?.match ?? 'none',
  };
}
