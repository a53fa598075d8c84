/** Loaded into a gateway (--expose-gc --import): tells its memory, garbage not counted, when asked. */
process.on('message', (question) => {
  if (question !== 'memory') return;
  (globalThis as { gc?: () => void }).gc?.();
  const { heapUsed, external } = process.memoryUsage();
  process.send?.({ type: 'memory', bytes: heapUsed + external });
});
