/** Which machine this is: a reader, or one that only plays a reader and must not be touched. */
export const PLATFORM_NAMES = ['emulated', 'linux'] as const;
export type PlatformName = (typeof PLATFORM_NAMES)[number];
