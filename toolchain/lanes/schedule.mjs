/** Which lane runs when: those alone first, then one of each track beside one of the other. */

/**
 * @param lanes Each with its `track`, in the order in which they are begun.
 * @param run (lane) => a promise of what is given back, in the order of the lanes, as `results`.
 * @param options.beside false: one lane after the other.
 * @param options.beforeTracks Runs before lanes run beside each other; what it gives is `before`.
 */
export async function runAll(lanes, run, { beside = true, beforeTracks } = {}) {
  const results = new Map();
  async function inTurn(some) {
    for (const lane of some) results.set(lane, await run(lane));
  }
  const isAlone = ({ track }) => !beside || track === 'alone';
  await inTurn(lanes.filter(isAlone));
  const others = lanes.filter((lane) => !isAlone(lane));
  const tracks = [...new Set(others.map(({ track }) => track))];
  const before = tracks.length > 1 ? await beforeTracks?.() : undefined;
  await Promise.all(tracks.map((track) => inTurn(others.filter((lane) => lane.track === track))));
  return { results: lanes.map((lane) => results.get(lane)), before };
}
