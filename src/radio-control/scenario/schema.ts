/** The schema of scenario files. One source for the types, the checks and `scenarios --schema`. */
import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { LOCK_FIELDS, LOCK_STATES } from './lock-states.js';
import { regionNames } from './regions.js';
import { tagModels } from './tag-models.js';

const closed = { additionalProperties: false };

/** A list of exactly `length` numbers. */
function numbers<T extends number[]>(length: number, options: object) {
  return Type.Unsafe<T>({
    ...Type.Array(Type.Number(), { minItems: length, maxItems: length }),
    ...options,
  });
}

const Position = numbers<[number, number, number]>(3, {
  description: 'Metres: x across the door, y along the way, z up.',
});

const Direction = numbers<[number, number, number]>(3, {
  description: 'Where to, as a vector of any length but 0; needed with widthDeg.',
});
const gainDbi = Type.Number({ minimum: -20, maximum: 30, default: 6, description: 'dBi.' });
const widthDeg = Type.Number({
  minimum: 10,
  maximum: 180,
  description: 'The gain falls by 3 dB at half of it. Without: the same gain everywhere.',
});

const Beam = Type.Object({ gainDbi, direction: Direction, widthDeg }, closed);

const Antenna = Type.Object(
  {
    port: Type.Integer({ minimum: 1, maximum: 255 }),
    position: Position,
    gainDbi: Type.Optional(gainDbi),
    direction: Type.Optional(Direction),
    widthDeg: Type.Optional(widthDeg),
    cableLossDb: Type.Optional(
      Type.Number({ minimum: 0, maximum: 30, default: 0, description: 'Each way.' }),
    ),
    axis: Type.Optional(
      numbers<[number, number, number]>(3, {
        description: 'Linear polarisation along it. Without: circular.',
      }),
    ),
    beams: Type.Optional(
      Type.Array(Beam, {
        minItems: 1,
        // As native/radio/virtual/virtual_options.cpp, like the limits of turnSeconds.
        maxItems: 511,
        description: 'Of an array antenna, numbered from 1.',
      }),
    ),
  },
  closed,
);

const ruleMs = (description: string, minimum = 0) =>
  Type.Optional(Type.Integer({ minimum, maximum: 86_400_000, description }));

const Rule = Type.Object(
  {
    offMs: ruleMs('After the stay this channel is left alone for as long.'),
    windowMs: ruleMs('Within any such time a channel is used for occupancyMs at most.', 100),
    occupancyMs: ruleMs('Needs windowMs, and is not longer.', 100),
    listenMs: ruleMs('Listen before talk: for so long before the carrier goes on.'),
  },
  { ...closed, description: 'As of a region; what is left out is not asked for.' },
);

const Channels = Type.Object(
  {
    kHz: Type.Array(Type.Integer({ minimum: 100_000, maximum: 6_000_000 }), {
      minItems: 1,
      maxItems: 256,
      description: 'Carrier frequencies in the order they are used.',
    }),
    dwellMs: Type.Integer({
      minimum: 100,
      maximum: 86_400_000,
      description: 'Time on one channel, milliseconds.',
    }),
    rule: Type.Optional(Rule),
  },
  closed,
);

const Propagation = Type.Object(
  {
    polarisationLossDb: Type.Optional(
      Type.Number({ minimum: 0, maximum: 60, default: 3, description: 'Each way.' }),
    ),
    tagGainDbi: Type.Optional(Type.Number({ minimum: -30, maximum: 30, default: 2 })),
    modulationLossDb: Type.Optional(
      Type.Number({ minimum: 0, maximum: 60, default: 6, description: 'Of the backscatter.' }),
    ),
    fading: Type.Optional(
      Type.Object(
        {
          kDb: Type.Optional(
            Type.Number({
              minimum: -20,
              maximum: 40,
              default: 10,
              description: 'Rician K: direct over scattered power.',
            }),
          ),
          holdMs: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: 60_000,
              default: 50,
              description: 'One draw holds for so long, for each tag, antenna and channel.',
            }),
          ),
        },
        { ...closed, description: 'Without: none.' },
      ),
    ),
    captureDb: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 60,
        description:
          'A reply is understood among others if it is stronger than their sum by this. ' +
          'Without: never.',
      }),
    ),
    replyLoss: Type.Optional(
      Type.Number({ minimum: 0, maximum: 1, default: 0, description: 'Share of replies lost.' }),
    ),
    interference: Type.Optional(
      Type.Array(
        Type.Object(
          {
            levelDb: Type.Number({
              minimum: 0,
              maximum: 80,
              description: "Over the receiver's own noise.",
            }),
            fromSeconds: Type.Optional(Type.Number({ minimum: 0, maximum: 1e9, default: 0 })),
            untilSeconds: Type.Optional(
              Type.Number({ minimum: 0, maximum: 1e9, description: 'Default: for ever.' }),
            ),
          },
          closed,
        ),
        {
          maxItems: 100,
          description: 'Other readers and machines that disturb the receiver. Default: none.',
        },
      ),
    ),
  },
  closed,
);

const Box = Type.Object(
  {
    center: Position,
    size: Position,
    grid: Type.Optional(
      numbers<[number, number, number]>(3, {
        items: { type: 'integer', minimum: 1, maximum: 10_000 },
        description:
          'Cells along x, y and z. With it, tags fill the cells from the bottom up, one in the ' +
          'middle of each; without it, each tag is somewhere in the box.',
      }),
    ),
  },
  { ...closed, description: 'Where the tags are, seen from the position of their group.' },
);

const Password = Type.String({
  pattern: '^[0-9A-Fa-f]{8}$',
  description: 'Eight hexadecimal digits.',
});

const Tags = Type.Object(
  {
    epc: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          'EPC tag URI with {serial} where the serial number goes: ' +
          'urn:epc:tag:sgtin-96:1.0614141.812345.{serial}',
      }),
    ),
    firstSerial: Type.Optional(
      Type.Integer({
        minimum: 0,
        // Counting on from here stays exact in a double.
        maximum: 9_007_000_000_000_000,
        default: 1,
        description: 'Repeated groups count on.',
      }),
    ),
    lastSerial: Type.Optional(
      Type.Integer({ minimum: 0, description: 'No serial above this one is used.' }),
    ),
    count: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Tags per group. Default: 1.' }),
    ),
    countUpTo: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000_000,
        description: 'With it, each group has between count and countUpTo tags.',
      }),
    ),
    epcs: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        minItems: 1,
        description: 'Instead of epc: a list of EPC tag URIs or of EPCs in hexadecimal.',
      }),
    ),
    model: Type.Optional(
      Type.Unsafe<string>({
        type: 'string',
        enum: [...tagModels().keys()],
        description: 'The chip: memory, TID, sensitivity. Without: a plain tag of 96 bits.',
      }),
    ),
    user: Type.Optional(
      Type.String({ description: 'USER memory from its first word on, hexadecimal, whole words.' }),
    ),
    killPassword: Type.Optional(Password),
    accessPassword: Type.Optional(Password),
    locks: Type.Optional(
      Type.Object(
        Object.fromEntries(
          LOCK_FIELDS.map((field) => [
            field,
            Type.Optional(
              Type.Unsafe<(typeof LOCK_STATES)[number]>({ type: 'string', enum: [...LOCK_STATES] }),
            ),
          ]),
        ),
        { ...closed, description: 'What is not named is open, but the TID: never.' },
      ),
    ),
    axis: Type.Optional(
      numbers<[number, number, number]>(3, { description: 'Of the dipole, for linear antennas.' }),
    ),
    sensitivityDbm: Type.Optional(
      numbers<[number, number]>(2, {
        default: [-22, -18],
        description:
          'Power a tag needs to answer, dBm: each tag has one of its own between the two. With a ' +
          'model: within 1 dB of that of the chip.',
      }),
    ),
    at: Type.Optional(Position),
    box: Type.Optional(Box),
  },
  closed,
);

const Path = Type.Object(
  {
    waypoints: Type.Array(
      Type.Object(
        {
          seconds: Type.Number({ minimum: 0, maximum: 1e9 }),
          position: Position,
        },
        closed,
      ),
      {
        minItems: 2,
        maxItems: 10_000,
        description: 'The tags are there from the first to the last time, in between on the line.',
      },
    ),
    everySeconds: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 1e9,
        description: 'The way is taken again after this time. Default: once.',
      }),
    ),
    startSeconds: Type.Optional(
      Type.Number({ minimum: -1e9, maximum: 1e9, default: 0, description: 'Of the first time.' }),
    ),
  },
  closed,
);

const Line = Type.Object(
  {
    from: Position,
    to: Position,
    metresPerSecond: Type.Number({ exclusiveMinimum: 0, maximum: 100 }),
    everySeconds: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 1e9,
        description: 'The way is taken again after this time. Default: once.',
      }),
    ),
    startSeconds: Type.Optional(Type.Number({ minimum: -1e9, maximum: 1e9, default: 0 })),
  },
  { ...closed, description: 'A path of two points at a constant speed: a belt, a walk, a gate.' },
);

const Repeat = Type.Object(
  {
    times: Type.Integer({ minimum: 1, maximum: 100_000 }),
    secondsApart: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1e9,
        default: 0,
        description: 'Each group starts its path this much later than the one before.',
      }),
    ),
  },
  { ...closed, description: 'More groups like this one, with further serial numbers.' },
);

const Group = Type.Object(
  {
    name: Type.Optional(Type.String({ description: 'For people.' })),
    position: Type.Optional(Position),
    path: Type.Optional(Path),
    line: Type.Optional(Line),
    turnSeconds: Type.Optional(
      Type.Number({
        minimum: 0.1,
        maximum: 86_400,
        description: 'A turntable: the tags turn once around the vertical through the position.',
      }),
    ),
    repeat: Type.Optional(Repeat),
    tags: Type.Array(Tags, { minItems: 1, maxItems: 10_000 }),
  },
  { ...closed, description: 'Tags that stay (position) or move (path, line) together.' },
);

const InputScript = Type.Object(
  {
    port: Type.Integer({ minimum: 1, maximum: 16 }),
    high: Type.Optional(Type.Boolean({ default: true, description: 'Until the first change.' })),
    changeSeconds: Type.Array(Type.Number({ minimum: 0, maximum: 1e9 }), {
      minItems: 1,
      maxItems: 10_000,
      description: 'When the level changes, ascending.',
    }),
    periodSeconds: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 1e9,
        description: 'The changes come again after this time. Default: once.',
      }),
    ),
  },
  { ...closed, description: 'A general purpose input that moves by itself: a light barrier.' },
);

export const Scenario = Type.Object(
  {
    $schema: Type.Optional(Type.String({ description: 'For editors.' })),
    description: Type.Optional(Type.String({ description: 'For people.' })),
    seed: Type.Optional(Type.Integer({ minimum: 0, maximum: 4_294_967_295, default: 1 })),
    region: Type.Optional(
      Type.Unsafe<string>({
        type: 'string',
        enum: regionNames(),
        description: 'The channels of a region; the default without region and channels: fcc.',
      }),
    ),
    channels: Type.Optional(Channels),
    busyShare: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 0.95,
        default: 0,
        description: 'How often a channel is found busy, where the rule listens before it talks.',
      }),
    ),
    antennas: Type.Array(Antenna, { minItems: 1, maxItems: 255 }),
    readerModel: Type.Optional(
      Type.String({
        pattern: '^[a-z0-9-]{1,40}$',
        description: 'The reader this is: a name of the reader models. Default: by its antennas.',
      }),
    ),
    inputs: Type.Optional(Type.Array(InputScript, { maxItems: 16 })),
    propagation: Type.Optional(Propagation),
    groups: Type.Array(Group, { minItems: 1, maxItems: 100_000 }),
  },
  { ...closed, title: 'Singulate scenario' },
);

export type Scenario = Static<typeof Scenario>;
export type ScenarioGroup = Scenario['groups'][number];
export type ScenarioTags = ScenarioGroup['tags'][number];

export function scenarioJsonSchema(): TSchema {
  return { $schema: 'http://json-schema.org/draft-07/schema#', ...Scenario };
}
