/**
 * The operating mode a newcomer finds: a tag is reported at its first read on an antenna, and
 * again each second while it stays, with what one wants to see of it.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { writeJsonFile } from '../shared/atomic-file.js';

export const DEMO_MODE = {
  type: 'CUSTOM',
  reportFilter: { duration: 1, type: 'PER_ANTENNA' },
  tagMetaData: ['ANTENNA', 'RSSI', 'SEEN_COUNT'],
  environment: 'LOW_INTERFERENCE',
} as const;

/** Does nothing in a state dir that already has a mode. */
export async function seedDemoMode(stateDir: string): Promise<void> {
  const file = join(stateDir, 'mode.json');
  if (!existsSync(file)) await writeJsonFile(file, DEMO_MODE);
}
