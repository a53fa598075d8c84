/** What the statistics and the heartbeat both tell of the hardware. */
import type { SpaceBytes } from '../../platform/memory.js';
import { readStorage } from '../../platform/storage.js';
import { PACKAGE_ROOT } from '../../shared/package-info.js';

/** This version does not drive a power supply that could be asked. */
export const POWER = { powerSource: 'DC', powerNegotiation: 'NOT_APPLICABLE' } as const;

export interface Flash {
  rootFileSystem: SpaceBytes;
  /** Of the software of the reader. */
  platform: SpaceBytes;
  /** Of what was set, and of the events that wait: both are in the state folder. */
  readerConfig: SpaceBytes;
  readerData: SpaceBytes;
}

export async function readFlash(stateDir: string): Promise<Flash> {
  const [rootFileSystem, platform, state] = await Promise.all([
    readStorage('/'),
    readStorage(PACKAGE_ROOT),
    readStorage(stateDir),
  ]);
  return { rootFileSystem, platform, readerConfig: state, readerData: state };
}
