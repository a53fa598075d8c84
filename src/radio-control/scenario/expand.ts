/** From a scenario that passed its checks to the single tags of a virtual field. */
import { errorMessage, type Violation } from '../../shared/errors.js';
import { encodeEpc, withSerial } from './epc.js';
import { SeededRandom } from './random.js';
import { type ChannelPlan, REGIONS, regionChannels } from './regions.js';
import type { Scenario, ScenarioGroup, ScenarioTags } from './schema.js';
import type { Point, VirtualField, VirtualGroup, VirtualTag } from './virtual-field.js';

const DEFAULT_REGION = 'fcc';
const DEFAULT_GAIN_DBI = 6;
const DEFAULT_SENSITIVITY_DBM = [-22, -18] as const;

/** @param faults Is added to: EPCs that cannot be encoded, or that two tags would share. */
export function expandScenario(scenario: Scenario, faults: Violation[]): VirtualField {
  const seed = scenario.seed ?? 1;
  const random = new SeededRandom(seed);
  const epcs = new EpcMaker(faults);
  return {
    seed,
    antennas: scenario.antennas.map(({ port, position, gainDbi = DEFAULT_GAIN_DBI }) => ({
      port,
      position,
      gainDbi,
    })),
    ...channels(scenario, random),
    groups: scenario.groups.flatMap((group, i) => expandGroup(group, `groups[${i}]`, random, epcs)),
    ...scenario.propagation,
  };
}

function channels(scenario: Scenario, random: SeededRandom): ChannelPlan {
  if (scenario.channels !== undefined) {
    return {
      channelsKhz: scenario.channels.kHz,
      channelRule: { dwellMs: scenario.channels.dwellMs },
    };
  }
  const region = REGIONS[scenario.region ?? DEFAULT_REGION];
  if (region === undefined) throw new Error(`no region ${scenario.region}`);
  return regionChannels(region, random);
}

function expandGroup(
  group: ScenarioGroup,
  field: string,
  random: SeededRandom,
  epcs: EpcMaker,
): VirtualGroup[] {
  const times = group.repeat?.times ?? 1;
  const used = group.tags.map(() => 0);
  return Array.from({ length: times }, (_, copy) => ({
    ...way(group, copy),
    tags: group.tags.flatMap((tags, i) => {
      const made = expandTags(tags, `${field}.tags[${i}]`, used[i] ?? 0, random, epcs);
      used[i] = (used[i] ?? 0) + made.length;
      return made;
    }),
  }));
}

function way(group: ScenarioGroup, copy: number): Omit<VirtualGroup, 'tags'> {
  const { path, position, repeat } = group;
  if (path === undefined) {
    return { waypoints: [[0, ...(position as Point)]], periodSeconds: 0 };
  }
  return {
    waypoints: path.waypoints.map(({ seconds, position: at }) => [seconds, ...at]),
    periodSeconds: path.everySeconds ?? 0,
    offsetSeconds: (path.startSeconds ?? 0) + copy * (repeat?.secondsApart ?? 0),
  };
}

function expandTags(
  tags: ScenarioTags,
  field: string,
  used: number,
  random: SeededRandom,
  epcs: EpcMaker,
): VirtualTag[] {
  const { count = 1, countUpTo = count } = tags;
  const length = tags.epcs?.length ?? random.integer(count, countUpTo);
  const [low, high] = tags.sensitivityDbm ?? DEFAULT_SENSITIVITY_DBM;
  return Array.from({ length }, (_, i) => ({
    epc: epcs.make(tags, field, i, used),
    offset: place(tags, i, random),
    sensitivityDbm: random.between(low, high),
  }));
}

function place({ at, box }: ScenarioTags, index: number, random: SeededRandom): Point {
  if (box === undefined) return at as Point;
  const { center, size, grid } = box;
  const where = grid ? cell(grid, index) : [random.next(), random.next(), random.next()];
  return center.map((c, axis) => c + (size[axis] ?? 0) * ((where[axis] ?? 0) - 0.5)) as Point;
}

/** The middle of a cell, each axis 0..1; x counts fastest, z slowest. */
function cell([nx, ny, nz]: [number, number, number], index: number): Point {
  const x = index % nx;
  const y = Math.floor(index / nx) % ny;
  const z = Math.floor(index / (nx * ny));
  return [(x + 0.5) / nx, (y + 0.5) / ny, (z + 0.5) / nz];
}

/** Makes EPCs and watches that no two tags have the same. One fault for each population is enough. */
class EpcMaker {
  readonly #seen = new Map<string, string>();
  readonly #faulty = new Set<string>();
  readonly #faults: Violation[];

  constructor(faults: Violation[]) {
    this.#faults = faults;
  }

  make(tags: ScenarioTags, field: string, index: number, used: number): Uint8Array {
    const at = tags.epcs === undefined ? `${field}.epc` : `${field}.epcs[${index}]`;
    const serial = (tags.firstSerial ?? 1) + used + index;
    if (tags.lastSerial !== undefined && serial > tags.lastSerial) {
      const message = `${tags.lastSerial} given; more tags than serial numbers from firstSerial on`;
      this.#fault(`${field}.lastSerial`, message);
      return new Uint8Array();
    }
    let epc: Uint8Array;
    try {
      epc = encodeEpc(tags.epcs?.[index] ?? withSerial(tags.epc as string, serial));
    } catch (error) {
      this.#fault(at, errorMessage(error));
      return new Uint8Array();
    }
    const hex = Buffer.from(epc).toString('hex');
    const other = this.#seen.get(hex);
    if (other !== undefined)
      this.#fault(at, `EPC ${hex} is that of ${other} too; allowed: each EPC once`);
    this.#seen.set(hex, at);
    return epc;
  }

  #fault(field: string, message: string): void {
    if (this.#faulty.has(field)) return;
    this.#faulty.add(field);
    this.#faults.push({ field, message });
  }
}
