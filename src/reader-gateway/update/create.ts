/** The updater of this machine: the one place that chooses the engine. */
import { join } from 'node:path';
import type { PlatformName } from '../../platform/platform.js';
import type { Logger } from '../../shared/log.js';
import { EmulatedEngine } from './emulated-engine.js';
import { RaucEngine } from './rauc-engine.js';
import { Updater, type UpdaterOptions } from './updater.js';

export interface UpdateSettings {
  /** PEM file of those whose bundles the emulated device takes; default in the state folder. */
  trusted?: string | undefined;
  /** Time in which a new version must become healthy; default 5 minutes. */
  confirmMs?: number;
  /** Boots of a version on trial of the emulated device; default 3. */
  maxBoots?: number;
  /** Size limit of bundles; default 4 GiB. */
  maxBytes?: number;
}

export interface UpdaterParts
  extends Pick<UpdaterOptions, 'radioAnswers' | 'firmwareUpdateProgress'> {
  stateDir: string;
  platform?: PlatformName;
  update?: UpdateSettings;
  log: Logger;
}

export function createUpdater(parts: UpdaterParts): Updater {
  const { stateDir, platform = 'emulated', update = {}, log } = parts;
  const folder = join(stateDir, 'update');
  const { trusted, maxBoots, ...limits } = update;
  const engine =
    platform === 'linux'
      ? new RaucEngine({ log })
      : new EmulatedEngine({
          folder: join(folder, 'device'),
          trusted: trusted ?? join(folder, 'trusted.pem'),
          log,
          ...(maxBoots === undefined ? {} : { maxBoots }),
        });
  const { radioAnswers, firmwareUpdateProgress } = parts;
  return new Updater({ engine, folder, log, radioAnswers, firmwareUpdateProgress, ...limits });
}
