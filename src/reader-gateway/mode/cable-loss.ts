/** What the cable between the reader and an antenna takes away. Pure. */
import type { CableLoss } from '../api/cable-loss.js';

/** Decibels, by antenna port. */
export type CableLossDb = (port: number) => number;

export const NO_CABLE_LOSS: CableLossDb = () => 0;

export function cableLossDb({ cableLength, cableLossPerHundredFt }: CableLoss): number {
  return (cableLength / 100) * cableLossPerHundredFt;
}
