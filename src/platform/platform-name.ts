/** The platforms that the services can run on. */
export const PLATFORM_NAMES = ['emulated', 'linux'] as const;
export type PlatformName = (typeof PLATFORM_NAMES)[number];
