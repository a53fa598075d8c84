/** Which platform the services run on: the one place where it is chosen. */
import type { Platform } from './adapters.js';
import { openEmulatedPlatform } from './emulated/emulated-platform.js';

export const PLATFORM_NAMES = ['emulated', 'linux'] as const;
export type PlatformName = (typeof PLATFORM_NAMES)[number];

/**
 * @param stateDir Where the emulated device keeps what it is told; it never touches the machine.
 * @param leds Which LEDs a Linux system has, see docs/gpio-led.md; left out: the usual names.
 * @throws CONFIG
 */
export async function openPlatform(
  name: PlatformName,
  stateDir: string,
  leds?: string,
): Promise<Platform> {
  if (name === 'emulated') return openEmulatedPlatform(stateDir);
  // Only a device needs the D-Bus library.
  const { openLinuxPlatform } = await import('./linux/linux-platform.js');
  return openLinuxPlatform(leds);
}
