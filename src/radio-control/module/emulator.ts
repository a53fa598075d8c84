/** An emulated module on a pseudo-terminal, with the field of a scenario. */
import { configError, errorMessage } from '../../shared/errors.js';
import { loadAddon, type NativeMercuryEmulator } from '../addon/addon.js';
import { loadScenario } from '../scenario/load-scenario.js';

export interface EmulatorOptions {
  profile: string;
  /** Name or file. */
  scenario: string;
  baudPacing: boolean;
  link: string | undefined;
}

export const DEFAULT_PROFILE = 'm7e';

export function emulatorFaults(): string[] {
  return loadAddon().MercuryEmulator.faults();
}

/** @throws CONFIG */
export async function openEmulator(options: EmulatorOptions): Promise<NativeMercuryEmulator> {
  const { MercuryEmulator } = loadAddon();
  const { profile, scenario, baudPacing, link } = options;
  const profiles = MercuryEmulator.profiles();
  if (!profiles.includes(profile)) {
    throw configError(`--profile: ${profile} given; allowed: ${profiles.join(', ')}`);
  }
  const field = await loadScenario(scenario);
  try {
    return new MercuryEmulator({
      ...field,
      profile,
      baudPacing,
      ...(link === undefined ? {} : { link }),
    });
  } catch (error) {
    throw configError(`the emulator cannot start: ${errorMessage(error)}`);
  }
}
