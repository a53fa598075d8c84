/** Recordings for radio-control's replay: evenly spaced reads of 1,000 tags on 4 antennas. */
import { writeFileSync } from 'node:fs';

const TAGS = 1000;

export interface SyntheticRead {
  timeNs: number;
  antenna: number;
  epc: string;
  rssiDbm: number;
  phaseDeg: number;
  frequencyMhz: number;
}

export function syntheticRead(index: number, spacingNs: number): SyntheticRead {
  return {
    timeNs: Math.round(index * spacingNs),
    antenna: 1 + (index % 4),
    epc: `3034257bf400b7800000${(index % TAGS).toString(16).padStart(4, '0')}`,
    rssiDbm: -40 - (index % 30),
    phaseDeg: index % 360,
    frequencyMhz: 902.75 + (index % 50) / 2,
  };
}

export function writeRecording(file: string, reads: number, spacingNs: number): void {
  const lines = ['time_ns,antenna,epc,rssi_dbm,phase_deg,frequency_mhz'];
  for (let i = 0; i < reads; i++) {
    lines.push(Object.values(syntheticRead(i, spacingNs)).join(','));
  }
  writeFileSync(file, `${lines.join('\n')}\n`);
}
