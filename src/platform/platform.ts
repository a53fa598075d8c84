/** Which platform the services run on: the one place where it is chosen. */
import type { Platform, PlatformOptions } from './adapters.js';
import { openEmulatedPlatform } from './emulated/emulated-platform.js';

export const PLATFORM_NAMES = ['emulated', 'linux'] as const;
export type PlatformName = (typeof PLATFORM_NAMES)[number];

/** @throws CONFIG */
export async function openPlatform(
  name: PlatformName,
  options: PlatformOptions,
): Promise<Platform> {
  if (name === 'emulated') return openEmulatedPlatform(options);
  // Only a device needs the D-Bus library.
  const { openLinuxPlatform } = await import('./linux/linux-platform.js');
  return openLinuxPlatform(options);
}
