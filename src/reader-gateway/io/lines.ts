/** General purpose inputs and outputs, as radio-control has them. */

export type Level = 'HIGH' | 'LOW';

export interface LineChange {
  kind: 'gpi' | 'gpo';
  /** From 1. */
  port: number;
  level: Level;
}

export interface Lines {
  /** By port. Empty until the radio service has told. */
  readonly gpis: ReadonlyMap<number, Level>;
  readonly gpos: ReadonlyMap<number, Level>;
  /** @throws INVALID for a port that the reader does not have, UNAVAILABLE */
  setGpo(port: number, level: Level): Promise<void>;
  /** Tells of every change, in order. @returns ends it. */
  onChange(listener: (change: LineChange) => void): () => void;
}
