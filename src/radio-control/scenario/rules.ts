/** What the schema of a scenario cannot say: fields that need or exclude one another. */
import type { Violation } from '../../shared/errors.js';
import { show } from './check-schema.js';
import { patternFault } from './epc.js';
import type { Scenario, ScenarioGroup, ScenarioTags } from './schema.js';
import { tagModels } from './tag-models.js';

/** More than a simulation can move in real time, and far below what fills the memory. */
const MAX_TAGS = 100_000;

export function findRuleFaults(scenario: Scenario): Violation[] {
  return [
    ...channelFaults(scenario),
    ...antennaFaults(scenario),
    ...sizeFaults(scenario),
    ...scenario.groups.flatMap((group, i) => groupFaults(group, `groups[${i}]`)),
  ];
}

function channelFaults({ region, channels }: Scenario): Violation[] {
  const faults: Violation[] = [];
  if (region !== undefined && channels !== undefined) {
    faults.push({ field: 'channels', message: 'given beside region; allowed: one of the two' });
  }
  const { windowMs, occupancyMs } = channels?.rule ?? {};
  if ((windowMs === undefined) !== (occupancyMs === undefined)) {
    const message = 'windowMs and occupancyMs need each other; allowed: both or none';
    faults.push({ field: 'channels.rule', message });
  } else if ((occupancyMs ?? 0) > (windowMs ?? 0)) {
    const message = `${occupancyMs} given; allowed: at most windowMs, ${windowMs}`;
    faults.push({ field: 'channels.rule.occupancyMs', message });
  }
  return faults;
}

function antennaFaults({ antennas }: Scenario): Violation[] {
  return antennas.flatMap(({ port, direction, widthDeg, axis, beams }, i) => {
    const field = `antennas[${i}]`;
    const faults: Violation[] = [];
    if (antennas.findIndex((other) => other.port === port) < i) {
      const message = `${port} given twice; allowed: each port once`;
      faults.push({ field: `${field}.port`, message });
    }
    if (widthDeg !== undefined && direction === undefined) {
      faults.push({ field: `${field}.direction`, message: 'is missing; widthDeg needs it' });
    }
    faults.push(...vectorFaults(direction, `${field}.direction`));
    faults.push(...vectorFaults(axis, `${field}.axis`));
    beams?.forEach((beam, b) => {
      faults.push(...vectorFaults(beam.direction, `${field}.beams[${b}].direction`));
    });
    return faults;
  });
}

function vectorFaults(vector: readonly number[] | undefined, field: string): Violation[] {
  if (vector === undefined) return [];
  const length = Math.hypot(...vector);
  if (length >= 1e-6 && length <= 1e6) return [];
  return [{ field, message: `${show(vector)} given; allowed: a vector 1e-6..1e6 long` }];
}

/** EPCs and USER memory that the chip has no room for. */
function memoryFaults(tags: ScenarioTags, field: string): Violation[] {
  const { model, user, axis } = tags;
  const faults = [...vectorFaults(axis, `${field}.axis`), ...epcRoomFaults(tags, field)];
  if (user === undefined) return faults;
  const words = model === undefined ? 0 : (tagModels().get(model)?.userWords ?? 0);
  if (!/^([0-9a-f]{4})*$/i.test(user) || user.length / 4 > words) {
    const room =
      words === 0
        ? 'a model with USER memory'
        : `up to ${words} words of 4 hexadecimal digits, what ${model} has`;
    faults.push({ field: `${field}.user`, message: `${show(user)} given; allowed: ${room}` });
  }
  return faults;
}

/** The core would make the memory of the tag as long as its EPC. */
function epcRoomFaults({ model, epcs = [] }: ScenarioTags, field: string): Violation[] {
  const words = model === undefined ? undefined : tagModels().get(model)?.epcWords;
  if (words === undefined) return [];
  return epcs.flatMap((epc, i) => {
    // EPCs of the schemes have 96 bits, and every chip has room for those.
    if (epc.startsWith('urn:') || epc.length / 4 <= words) return [];
    const message = `${show(epc)} given; allowed: up to ${words} words, what ${model} has`;
    return [{ field: `${field}.epcs[${i}]`, message }];
  });
}

function sizeFaults({ groups }: Scenario): Violation[] {
  const inAll = groups.reduce((sum, { tags, repeat }) => {
    const inOne = tags.reduce((n, t) => n + (t.epcs?.length ?? t.countUpTo ?? t.count ?? 1), 0);
    return sum + inOne * (repeat?.times ?? 1);
  }, 0);
  if (inAll <= MAX_TAGS) return [];
  return [{ field: 'groups', message: `${inAll} tags in all; allowed: at most ${MAX_TAGS}` }];
}

function groupFaults(group: ScenarioGroup, field: string): Violation[] {
  const faults: Violation[] = [];
  const ways = [group.position, group.path, group.line].filter((way) => way !== undefined);
  if (ways.length !== 1) {
    faults.push({ field, message: 'exactly one of position, path, line is needed' });
  }
  if (group.line !== undefined) faults.push(...lineFaults(group.line, `${field}.line`));
  if (group.path !== undefined) faults.push(...pathFaults(group.path, `${field}.path`));
  if (group.repeat?.secondsApart !== undefined && group.position !== undefined) {
    const message = 'allowed only with a path or a line';
    faults.push({ field: `${field}.repeat.secondsApart`, message });
  }
  group.tags.forEach((tags, i) => {
    faults.push(...tagsFaults(tags, `${field}.tags[${i}]`));
  });
  return faults;
}

function lineFaults(line: NonNullable<ScenarioGroup['line']>, field: string): Violation[] {
  const metres = Math.hypot(...line.from.map((value, axis) => (line.to[axis] ?? 0) - value));
  if (metres === 0) return [{ field: `${field}.to`, message: 'is the same as from' }];
  const seconds = metres / line.metresPerSecond;
  if (line.everySeconds === undefined || line.everySeconds >= seconds) return [];
  const message = `${line.everySeconds} given; allowed: at least ${seconds.toFixed(3)}, what the way takes`;
  return [{ field: `${field}.everySeconds`, message }];
}

function pathFaults(path: NonNullable<ScenarioGroup['path']>, field: string): Violation[] {
  const faults: Violation[] = [];
  path.waypoints.forEach(({ seconds }, i) => {
    const before = path.waypoints[i - 1]?.seconds;
    if (before !== undefined && seconds <= before) {
      const message = `${seconds} given; allowed: above ${before}, the time before it`;
      faults.push({ field: `${field}.waypoints[${i}].seconds`, message });
    }
  });
  const last = path.waypoints.at(-1)?.seconds ?? 0;
  if (path.everySeconds !== undefined && path.everySeconds < last) {
    const message = `${path.everySeconds} given; allowed: at least ${last}, the time of the last waypoint`;
    faults.push({ field: `${field}.everySeconds`, message });
  }
  return faults;
}

function tagsFaults(tags: ScenarioTags, field: string): Violation[] {
  const faults: Violation[] = [];
  if ((tags.epc === undefined) === (tags.epcs === undefined)) {
    faults.push({ field, message: 'exactly one of epc, epcs is needed' });
  }
  if ((tags.at === undefined) === (tags.box === undefined)) {
    faults.push({ field, message: 'exactly one of at, box is needed' });
  }
  const pattern = tags.epc === undefined ? undefined : patternFault(tags.epc);
  if (pattern)
    faults.push({ field: `${field}.epc`, message: `${show(tags.epc)} given; ${pattern}` });
  if (tags.epcs !== undefined) {
    for (const key of ['firstSerial', 'lastSerial', 'count', 'countUpTo'] as const) {
      if (tags[key] !== undefined) {
        faults.push({ field: `${field}.${key}`, message: 'allowed only with epc' });
      }
    }
  }
  const { count = 1, countUpTo } = tags;
  if (countUpTo !== undefined && countUpTo < count) {
    const message = `${countUpTo} given; allowed: at least count, ${count}`;
    faults.push({ field: `${field}.countUpTo`, message });
  }
  const [low, high] = tags.sensitivityDbm ?? [-22, -18];
  if (low > high || low < -60 || high > 30) {
    const message = `${show(tags.sensitivityDbm)} given; allowed: [lowest, highest] within -60..30`;
    faults.push({ field: `${field}.sensitivityDbm`, message });
  }
  return [...faults, ...memoryFaults(tags, field), ...boxFaults(tags, `${field}.box`)];
}

function boxFaults({ box, count = 1, countUpTo = count, epcs }: ScenarioTags, field: string) {
  const faults: Violation[] = [];
  if (box === undefined) return faults;
  if (box.size.some((side) => side < 0)) {
    faults.push({
      field: `${field}.size`,
      message: `${show(box.size)} given; allowed: none below 0`,
    });
  }
  const cells = box.grid?.reduce((product, n) => product * n, 1);
  const tags = epcs?.length ?? countUpTo;
  if (cells !== undefined && cells < tags) {
    const message = `${show(box.grid)} given: ${cells} cells; allowed: at least ${tags}, one for each tag`;
    faults.push({ field: `${field}.grid`, message });
  }
  return faults;
}
