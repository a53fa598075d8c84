/** What a mode needs to know of the radio. The contract's Capabilities fit. */
export interface RadioFacts {
  /** Antenna ports, ascending. */
  antennas: readonly number[];
  /** Of each of them: beams 1..n; 0 = no array antenna. */
  beams: readonly number[];
  /** Hundredths of a dBm, conducted. */
  minTransmitPowerCdbm: number;
  maxTransmitPowerCdbm: number;
  /** The first is the module's default. */
  linkProfiles: readonly string[];
  /** What becomes of the features of a plan; left out: all of them are done. */
  features?: readonly { field?: string | null; support?: number | null }[];
  hasSelects: boolean;
  hasAccess: boolean;
  hasRssiLimit: boolean;
  /** General purpose inputs; left out, or null: as the reader model has them. */
  inputs?: number | null | undefined;
  /** '' = unknown. */
  region: string;
  /** Hundredths of a dBm EIRP; 0 = unknown. */
  maxEirpCdbm: number;
  /** Of the region; 0 = unknown, or of no concern. */
  channelWidthKhz: number;
  /** '' = the radio does not say. */
  readerModel: string;
}
