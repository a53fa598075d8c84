/** The operating mode a newcomer finds: a steady flow of reports, one for each tag and second. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { writeJsonFile } from '../shared/atomic-file.js';

export const DEMO_MODE = {
  type: 'INVENTORY',
  inventorySettings: { interval: { value: 1, unit: 'seconds' } },
  environment: 'LOW_INTERFERENCE',
} as const;

/** Does nothing in a state dir that already has a mode. */
export async function seedDemoMode(stateDir: string): Promise<void> {
  const file = join(stateDir, 'mode.json');
  if (!existsSync(file)) await writeJsonFile(file, DEMO_MODE);
}
