/** Operating mode (GET and PUT /cloud/mode, get_mode, set_mode). */
import {
  Anything,
  NumberOrArray,
  OneOrPerAntenna,
  type Static,
  TextEnum,
  type TSchema,
  Type,
} from './schema.js';

export const MODE_TYPES = [
  'SIMPLE',
  'INVENTORY',
  'PORTAL',
  'CONVEYOR',
  'CUSTOM',
  'DIRECTIONALITY',
] as const;
export type ModeType = (typeof MODE_TYPES)[number];

export const ENVIRONMENTS = [
  'LOW_INTERFERENCE',
  'HIGH_INTERFERENCE',
  'VERY_HIGH_INTERFERENCE',
  'AUTO_DETECT',
  'DEMO',
] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

export const STOP_CONDITION_TYPES = [
  'DURATION',
  'INVENTORY_COUNT',
  'GPI',
  'SINGLE_INVENTORY_LIMITED_DURATION',
] as const;

export const INTERVAL_UNITS = ['seconds', 'minutes', 'hours', 'days'] as const;

/** A field of the interface that this version refuses instead of ignoring it. */
function Unsupported<T extends TSchema>(schema: T): T {
  return { ...schema, description: 'Refused: not supported by this version' };
}

export const Query = Type.Object({
  tagPopulation: Type.Optional(Type.Integer({ minimum: 1, maximum: 65535, default: 1 })),
  sel: Type.Optional(
    TextEnum(['ALL', 'SL', 'NOT_SL'], { default: 'ALL', description: 'Only ALL in this version' }),
  ),
  session: Type.Optional(
    Type.Unsafe<'S0' | 'S1' | 'S2' | 'S3' | 0 | 1 | 2 | 3>({
      enum: ['S0', 'S1', 'S2', 'S3', 0, 1, 2, 3],
      default: 'S1',
    }),
  ),
  target: Type.Optional(TextEnum(['A', 'B', 'AB'], { default: 'A' })),
});
export type Query = Static<typeof Query>;

export const AntennaStopCondition = Type.Object({
  type: TextEnum(STOP_CONDITION_TYPES),
  value: Anything({ description: 'Milliseconds, or a number of rounds for INVENTORY_COUNT' }),
});
export type AntennaStopCondition = Static<typeof AntennaStopCondition>;

const IntervalSettings = Type.Object({
  interval: Type.Optional(
    Type.Object({
      value: Type.Integer({ minimum: 1 }),
      unit: TextEnum(INTERVAL_UNITS),
    }),
  ),
});
export type IntervalSettings = Static<typeof IntervalSettings>;

export const OperatingMode = Type.Object(
  {
    type: TextEnum(MODE_TYPES, {
      default: 'SIMPLE',
      description: 'PORTAL and DIRECTIONALITY are not supported by this version',
    }),
    inventorySettings: Type.Optional(IntervalSettings),
    modeSpecificSettings: Type.Optional(IntervalSettings),
    environment: Type.Optional(TextEnum(ENVIRONMENTS, { default: 'HIGH_INTERFERENCE' })),
    linkProfile: Type.Optional(
      Type.Integer({ description: 'Accepted without effect; environment chooses the link' }),
    ),
    antennas: Type.Optional(
      Type.Array(Type.Integer(), {
        minItems: 1,
        maxItems: 255,
        description: 'Antenna ports in the order of the cycle; default all',
      }),
    ),
    transmitPower: Type.Optional(
      NumberOrArray({ description: 'dBm for all antennas, or one per antenna; default 27' }),
    ),
    antennaStopCondition: Type.Optional(OneOrPerAntenna(AntennaStopCondition)),
    query: Type.Optional(OneOrPerAntenna(Query)),
    tagMetaData: Type.Optional(
      Type.Array(Type.Unsafe<string | Record<string, unknown>>({ type: ['string', 'object'] })),
    ),
    reportFilter: Type.Optional(
      Type.Object({
        duration: Type.Integer({
          minimum: 0,
          maximum: 4294967295,
          description: 'Seconds until a tag is reported again; 0 = every read',
        }),
        type: TextEnum(['PER_ANTENNA', 'RADIO_WIDE']),
      }),
    ),
    radioStopConditions: Type.Optional(
      Type.Object({
        duration: Type.Optional(
          Type.Number({ minimum: 0.001, maximum: 4294967295, description: 'Seconds' }),
        ),
        antennaCycles: Type.Optional(Type.Integer({ minimum: 1, maximum: 4294967295 })),
        tagCount: Type.Optional(Unsupported(Anything())),
        durationAfterNoMoreUniqueTags: Type.Optional(Unsupported(Anything())),
        gpis: Type.Optional(Unsupported(Anything())),
      }),
    ),
    delayBetweenAntennaCycles: Type.Optional(
      Type.Object({
        type: TextEnum(['DISABLED', 'NO_TAGS', 'NO_UNIQUE_TAGS'], {
          description: 'Only DISABLED in this version',
        }),
        duration: Type.Integer({ minimum: 0, description: 'Milliseconds; 0 with DISABLED' }),
      }),
    ),
    tagIdFilter: Type.Optional(Unsupported(Anything())),
    filter: Type.Optional(Unsupported(Anything())),
    select: Type.Optional(Unsupported(Anything())),
    selects: Type.Optional(Unsupported(Anything())),
    access: Type.Optional(Unsupported(Anything())),
    accesses: Type.Optional(Unsupported(Anything())),
    delayAfterSelects: Type.Optional(Unsupported(Anything())),
    radioStartConditions: Type.Optional(Unsupported(Anything())),
    rssiFilter: Type.Optional(Unsupported(Anything())),
    beams: Type.Optional(Unsupported(Anything())),
    portalSettings: Type.Optional(Unsupported(Anything())),
    directionalitySettings: Type.Optional(Unsupported(Anything())),
  },
  { description: 'Operating mode' },
);
export type OperatingMode = Static<typeof OperatingMode>;

export const GetMode = Type.Object(
  {
    verbose: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'true: the effective mode with all defaults; false: what was set',
      }),
    ),
  },
  { description: 'Request of the operating mode' },
);
export type GetMode = Static<typeof GetMode>;
