/** From a scenario that passed its checks to the single tags of a virtual field. */
import { errorMessage, type Violation } from '../../shared/errors.js';
import { encodeEpc, withSerial } from './epc.js';
import { type Locks, lockBits } from './lock-states.js';
import { SeededRandom } from './random.js';
import { type ChannelPlan, loadRegion, regionChannels, withBusyShare } from './regions.js';
import type { Scenario, ScenarioGroup, ScenarioTags } from './schema.js';
import { PLAIN, type TagModel, tagModels, tidOf, toVirtualModel } from './tag-models.js';
import type {
  Point,
  Site,
  VirtualField,
  VirtualGroup,
  VirtualTag,
  VirtualTagModel,
} from './virtual-field.js';

const DEFAULT_REGION = 'fcc';
const DEFAULT_GAIN_DBI = 6;
const DEFAULT_SENSITIVITY_DBM = [-22, -18] as const;

/** @param faults Is added to: EPCs that cannot be encoded, or that two tags would share. */
export function expandScenario(scenario: Scenario, faults: Violation[]): VirtualField {
  const seed = scenario.seed ?? 1;
  const random = new SeededRandom(seed);
  const epcs = new EpcMaker(faults);
  const chips = new Chips(seed);
  return {
    seed,
    antennas: scenario.antennas.map((antenna) => ({ gainDbi: DEFAULT_GAIN_DBI, ...antenna })),
    ...channels(scenario, random),
    site: siteOf(scenario),
    ...(scenario.inputs === undefined ? {} : { inputs: scenario.inputs }),
    groups: scenario.groups.flatMap((group, i) =>
      expandGroup(group, `groups[${i}]`, random, epcs, chips),
    ),
    // After the groups: they say which chips there are.
    models: chips.used,
    ...scenario.propagation,
  };
}

/** With channels of one's own the rules are one's own too: no limit is known. */
function siteOf({ region, channels, readerModel }: Scenario): Site {
  const model = readerModel === undefined ? {} : { readerModel };
  if (channels !== undefined) return { region: region ?? '', ...model };
  const name = region ?? DEFAULT_REGION;
  const { maxEirpDbm, channelWidthKhz } = loadRegion(name);
  return {
    region: name,
    ...(maxEirpDbm === undefined ? {} : { maxEirpDbm }),
    ...(channelWidthKhz === undefined ? {} : { channelWidthKhz }),
    ...model,
  };
}

function channels(scenario: Scenario, random: SeededRandom): ChannelPlan {
  const busyShare = scenario.busyShare ?? 0;
  if (scenario.channels !== undefined) {
    const { kHz, dwellMs, rule } = scenario.channels;
    return { channelsKhz: kHz, channelRule: withBusyShare({ dwellMs, ...rule }, busyShare) };
  }
  return regionChannels(loadRegion(scenario.region ?? DEFAULT_REGION), random, busyShare);
}

function expandGroup(
  group: ScenarioGroup,
  field: string,
  random: SeededRandom,
  epcs: EpcMaker,
  chips: Chips,
): VirtualGroup[] {
  const times = group.repeat?.times ?? 1;
  const used = group.tags.map(() => 0);
  return Array.from({ length: times }, (_, copy) => ({
    ...way(group, copy),
    tags: group.tags.flatMap((tags, i) => {
      const made = expandTags(tags, `${field}.tags[${i}]`, used[i] ?? 0, random, epcs, chips);
      used[i] = (used[i] ?? 0) + made.length;
      return made;
    }),
  }));
}

function way(group: ScenarioGroup, copy: number): Omit<VirtualGroup, 'tags'> {
  const { position, repeat, turnSeconds } = group;
  const turn = turnSeconds === undefined ? {} : { turnSeconds };
  const path = group.line === undefined ? group.path : toPath(group.line);
  if (path === undefined) {
    return { waypoints: [[0, ...(position as Point)]], periodSeconds: 0, ...turn };
  }
  return {
    waypoints: path.waypoints.map(({ seconds, position: at }) => [seconds, ...at]),
    periodSeconds: path.everySeconds ?? 0,
    offsetSeconds: (path.startSeconds ?? 0) + copy * (repeat?.secondsApart ?? 0),
    ...turn,
  };
}

function toPath({ from, to, metresPerSecond, ...rest }: NonNullable<ScenarioGroup['line']>) {
  const metres = Math.hypot(...from.map((value, axis) => (to[axis] ?? 0) - value));
  return {
    waypoints: [
      { seconds: 0, position: from },
      { seconds: metres / metresPerSecond, position: to },
    ],
    ...rest,
  };
}

function expandTags(
  tags: ScenarioTags,
  field: string,
  used: number,
  random: SeededRandom,
  epcs: EpcMaker,
  chips: Chips,
): VirtualTag[] {
  const { count = 1, countUpTo = count } = tags;
  const length = tags.epcs?.length ?? random.integer(count, countUpTo);
  const model = tags.model === undefined ? undefined : tagModels().get(tags.model);
  const [low, high] = tags.sensitivityDbm ?? ofModel(model);
  const memory = memoryOf(tags);
  return Array.from({ length }, (_, i) => ({
    epc: epcs.make(tags, field, i, used),
    offset: place(tags, i, random),
    sensitivityDbm: random.between(low, high),
    ...(tags.axis === undefined ? {} : { axis: tags.axis }),
    ...memory,
    ...(model === undefined ? {} : chips.of(model, tags.locks)),
  }));
}

/** No two chips are the same: they lie within 1 dB of what the data sheet says. */
function ofModel(model: TagModel | undefined): readonly [number, number] {
  if (model === undefined) return DEFAULT_SENSITIVITY_DBM;
  return [model.readSensitivityDbm - 1, model.readSensitivityDbm + 1];
}

function memoryOf({ user, killPassword, accessPassword, locks, model }: ScenarioTags) {
  return {
    ...(user === undefined ? {} : { user: Buffer.from(user, 'hex') }),
    ...(killPassword === undefined ? {} : { killPassword: Number.parseInt(killPassword, 16) }),
    ...(accessPassword === undefined
      ? {}
      : { accessPassword: Number.parseInt(accessPassword, 16) }),
    ...(locks === undefined || model !== undefined ? {} : { lock: lockBits(locks as Locks) }),
  };
}

/** The models in use, and TIDs: serial numbers of a seed lie apart from those of another. */
class Chips {
  /** The first is the plain tag. */
  readonly used: VirtualTagModel[] = [{ name: PLAIN }];
  #serial: number;

  constructor(seed: number) {
    this.#serial = (seed % 2 ** 24) * 2 ** 24;
  }

  of(model: TagModel, locks: ScenarioTags['locks']): Partial<VirtualTag> {
    let index = this.used.findIndex(({ name }) => name === model.name);
    if (index < 0) index = this.used.push(toVirtualModel(model)) - 1;
    this.#serial++;
    const lock = lockBits((locks ?? {}) as Locks);
    return { model: index, tid: tidOf(model, this.#serial), lock };
  }
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
