/**
 * How node runs a service, here and in the units of packages: the figures of `bench -- footprint`
 * hold for these (docs/footprint.md).
 */

/** Options of node, before the script. */
export const NODE_ARGS: readonly string[] = [
  // An error thrown in a callback from the native core must end the process, not vanish.
  '--force-node-api-uncaught-exceptions-policy=true',
  // Reads live for milliseconds: a small nursery, collected often, holds them as well.
  '--max-semi-space-size=1',
  // V8 collects more and keeps less.
  '--optimize-for-size',
  // Threads that help to compile and to collect: readers have few processors.
  '--v8-pool-size=1',
];

/** Of the C library: memory that was needed once for a moment goes back to the system. */
export const MEMORY_ENVIRONMENT: Readonly<Record<string, string>> = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '262144',
  MALLOC_TRIM_THRESHOLD_: '262144',
};
