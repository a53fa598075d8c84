/** Which platform the services run on: the one place where it is chosen. */
import type { Platform, PlatformOptions } from './adapters.js';
import type { PlatformName } from './platform-name.js';

/** @throws CONFIG */
export async function openPlatform(
  name: PlatformName,
  options: PlatformOptions,
): Promise<Platform> {
  // Each loads only what it needs: only a device the D-Bus library.
  if (name === 'emulated') {
    const { openEmulatedPlatform } = await import('./emulated/emulated-platform.js');
    return openEmulatedPlatform(options);
  }
  const { openLinuxPlatform } = await import('./linux/linux-platform.js');
  return openLinuxPlatform(options);
}
