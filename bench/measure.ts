/** Measuring side by side: the two sides of a ratio run in turns, so that noise hits both. */

export interface Sample {
  /** Things done per second of wall time. */
  perSecond: number;
  /** CPU time of all processes involved, microseconds per thing. */
  cpuUs: number;
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] as number;
}

export function medianSample(samples: Sample[]): Sample {
  return {
    perSecond: median(samples.map((sample) => sample.perSecond)),
    cpuUs: median(samples.map((sample) => sample.cpuUs)),
  };
}

/** Runs the functions in turns, `rounds` times, after one turn to warm up. */
export async function inTurns<Name extends string>(
  rounds: number,
  sides: Record<Name, () => Promise<Sample> | Sample>,
): Promise<Record<Name, Sample>> {
  const names = Object.keys(sides) as Name[];
  const samples = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<
    Name,
    Sample[]
  >;
  for (let round = 0; round <= rounds; round++) {
    for (const name of names) {
      const sample = await sides[name]();
      if (round > 0) samples[name].push(sample);
    }
  }
  const result = names.map((name) => [name, medianSample(samples[name])]);
  return Object.fromEntries(result) as Record<Name, Sample>;
}

/** Measures one piece of work in this process. */
export async function measure(count: number, work: () => Promise<void> | void): Promise<Sample> {
  const cpu = process.cpuUsage();
  const started = performance.now();
  await work();
  const seconds = (performance.now() - started) / 1000;
  const used = process.cpuUsage(cpu);
  return { perSecond: count / seconds, cpuUs: (used.user + used.system) / count };
}
