/** What a mode needs to know of the radio. The contract's Capabilities fit. */
export interface RadioFacts {
  /** Antenna ports, ascending. */
  antennas: readonly number[];
  /** Hundredths of a dBm. */
  minTransmitPowerCdbm: number;
  maxTransmitPowerCdbm: number;
  /** The first is the module's default. */
  linkProfiles: readonly string[];
}
