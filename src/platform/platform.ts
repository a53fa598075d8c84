/** Which platform the services run on: the one place where it is chosen. */
import type { Platform, PlatformOptions } from './adapters.js';
import { openEmulatedPlatform } from './emulated/emulated-platform.js';
import type { PlatformName } from './platform-name.js';

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
