/** Operating mode (GET and PUT /cloud/mode, get_mode, set_mode). */
import { BeamSettings, DirectionalitySettings } from './directionality.js';
import {
  Anything,
  ListOrPerAntenna,
  NumberOrArray,
  OneOrPerAntenna,
  type Static,
  TextEnum,
  Type,
  when,
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

export const Query = Type.Object({
  tagPopulation: Type.Optional(Type.Integer({ minimum: 1, maximum: 65535, default: 1 })),
  sel: Type.Optional(TextEnum(['ALL', 'SL', 'NOT_SL'], { default: 'ALL' })),
  session: Type.Optional(
    Type.Unsafe<'S0' | 'S1' | 'S2' | 'S3' | 0 | 1 | 2 | 3>({
      enum: ['S0', 'S1', 'S2', 'S3', 0, 1, 2, 3],
      default: 'S1',
      description: 'Default S0 with type DIRECTIONALITY, which needs many reads of each tag',
    }),
  ),
  target: Type.Optional(TextEnum(['A', 'B', 'AB'], { default: 'A' })),
});
export type Query = Static<typeof Query>;

export const Gpi = Type.Object({
  port: Type.Integer({ minimum: 1, maximum: 16, description: 'General purpose input' }),
  signal: TextEnum(['HIGH', 'LOW']),
  debounceTime: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 60_000,
      default: 0,
      description: 'Milliseconds that the level must hold',
    }),
  ),
});
export type Gpi = Static<typeof Gpi>;

export const AntennaStopCondition = Type.Object(
  {
    type: TextEnum(STOP_CONDITION_TYPES),
    value: Anything({
      description: 'Milliseconds; a number of rounds with INVENTORY_COUNT; a gpi object with GPI',
    }),
  },
  { allOf: [when('type', 'GPI', { properties: { value: Gpi } })] },
);
export type AntennaStopCondition = Static<typeof AntennaStopCondition>;

export const TagIdFilter = Type.Object({
  value: Type.String({
    minLength: 1,
    maxLength: 1024,
    description:
      'Hexadecimal digits, or a regular expression on them; upper and lower case are the same',
  }),
  match: TextEnum(['prefix', 'suffix', 'regex']),
  operation: Type.Optional(TextEnum(['include', 'exclude'], { default: 'include' })),
});

export const Select = Type.Object({
  target: TextEnum(['S0', 'S1', 'S2', 'S3', 'SL']),
  action: Type.String({ description: 'What matching tags do, and all others: INVA_INVB' }),
  membank: TextEnum(['RES', 'RESERVED', 'EPC', 'TID', 'USER']),
  pointer: Type.Integer({ minimum: 0, maximum: 4294967295, description: 'Bit address' }),
  length: Type.Integer({ minimum: 0, maximum: 255, description: 'Bits of the mask' }),
  mask: Type.String({
    pattern: '^([0-9a-fA-F]{2})*$',
    description: 'hexadecimal with an even number of digits',
  }),
  truncate: Type.Optional(
    Type.Integer({
      minimum: 0,
      default: 0,
      description: 'Not 0: tags send what is after the mask',
    }),
  ),
});
export type Select = Static<typeof Select>;

export const ACCESS_TYPES = ['READ', 'WRITE', 'LOCK', 'KILL', 'ACCESS'] as const;

export const AccessCommand = Type.Object({
  type: TextEnum(ACCESS_TYPES),
  config: Type.Object(
    {},
    {
      // Of every type its own: mode/access.ts.
      additionalProperties: true,
      description:
        'READ: membank, wordPointer, wordCounter (0 = to the end). WRITE: membank, wordPointer, ' +
        'data, blockSize (not 0: BlockWrite). LOCK: actions. KILL, ACCESS: password, 8 digits',
    },
  ),
});
export type AccessCommand = Static<typeof AccessCommand>;

export type Beam = BeamSettings;

const IntervalSettings = Type.Object({
  interval: Type.Optional(
    Type.Object({
      value: Type.Integer({ minimum: 1 }),
      unit: TextEnum(INTERVAL_UNITS),
    }),
  ),
});
export type IntervalSettings = Static<typeof IntervalSettings>;

const PortalSettings = Type.Object({
  startTrigger: Type.Optional(
    Type.Object({
      port: Type.Optional(Type.Integer({ minimum: 1, maximum: 4, default: 1 })),
      signal: Type.Optional(TextEnum(['HIGH', 'LOW'], { default: 'LOW' })),
    }),
  ),
  stopInterval: Type.Optional(
    Type.Number({
      exclusiveMinimum: 0,
      maximum: 4294967295,
      default: 3,
      description: 'Seconds without a new tag',
    }),
  ),
});

const seconds = (description: string) =>
  Type.Optional(Type.Number({ minimum: 0.001, maximum: 4294967295, description }));

export const OperatingMode = Type.Object(
  {
    type: TextEnum(MODE_TYPES, { default: 'SIMPLE' }),
    inventorySettings: Type.Optional(IntervalSettings),
    portalSettings: Type.Optional(PortalSettings),
    directionalitySettings: Type.Optional(DirectionalitySettings),
    environment: Type.Optional(TextEnum(ENVIRONMENTS, { default: 'HIGH_INTERFERENCE' })),
    linkProfile: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 255,
        description:
          'Number of a link profile, as readerCapabilities lists them; environment has then no effect',
      }),
    ),
    antennas: Type.Optional(
      Type.Array(Type.Integer(), {
        minItems: 1,
        maxItems: 511,
        description:
          'Antenna ports in the order of the cycle, or beam numbers on an array-type reader; ' +
          'default all',
      }),
    ),
    beams: Type.Optional(
      Type.Array(BeamSettings, {
        minItems: 1,
        maxItems: 511,
        description: 'On an array-type reader only',
      }),
    ),
    tagIdFilter: Type.Optional(TagIdFilter),
    transmitPower: Type.Optional(
      NumberOrArray({ description: 'dBm for all antennas, or one per antenna; default 27' }),
    ),
    antennaStopCondition: Type.Optional(OneOrPerAntenna(AntennaStopCondition)),
    query: Type.Optional(OneOrPerAntenna(Query)),
    select: Type.Optional(ListOrPerAntenna(Select, { description: 'Before the Query, in order' })),
    delayAfterSelects: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 65,
        description: 'Milliseconds from the last Select to the Query; default the minimum',
      }),
    ),
    access: Type.Optional(
      ListOrPerAntenna(AccessCommand, { description: 'Done on each tag, in order' }),
    ),
    tagMetaData: Type.Optional(
      Type.Array(Type.Unsafe<string | Record<string, unknown>>({ type: ['string', 'object'] })),
    ),
    reportFilter: Type.Optional(
      Type.Object({
        duration: Type.Integer({
          minimum: 0,
          maximum: 4294967295,
          description:
            'Seconds until a tag is reported again; 0 = every read. What was held back since its last ' +
            'report is reported at the end of reading, with its count',
        }),
        type: TextEnum(['PER_ANTENNA', 'RADIO_WIDE']),
      }),
    ),
    rssiFilter: Type.Optional(
      Type.Object({
        threshold: Type.Number({
          minimum: -120,
          maximum: 0,
          description: 'dBm; weaker tags are not inventoried',
        }),
      }),
    ),
    radioStartConditions: Type.Optional(
      Type.Object({
        type: TextEnum(['GPI', 'GPI_WITH_RESTART', 'SCHEDULE']),
        gpis: Type.Optional(Type.Array(Gpi, { maxItems: 16 })),
        schedule: Type.Optional(
          Type.Object(
            {
              at: Type.Optional(Type.String({ description: 'ISO 8601 time of the first start' })),
              every: Type.Optional(
                Type.Number({
                  minimum: 0.001,
                  maximum: 86_400_000,
                  description: 'Seconds from start to start',
                }),
              ),
            },
            { description: 'With SCHEDULE, which this reader has beyond the interface' },
          ),
        ),
      }),
    ),
    radioStopConditions: Type.Optional(
      Type.Object({
        duration: seconds('Seconds'),
        antennaCycles: Type.Optional(Type.Integer({ minimum: 1, maximum: 4294967295 })),
        tagCount: Type.Optional(
          Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Different tags' }),
        ),
        durationAfterNoMoreUniqueTags: seconds('Seconds since the last new tag'),
        gpis: Type.Optional(Type.Array(Gpi, { maxItems: 16 })),
      }),
    ),
    delayBetweenAntennaCycles: Type.Optional(
      Type.Object({
        type: TextEnum(['DISABLED', 'NO_TAGS', 'NO_UNIQUE_TAGS']),
        duration: Type.Integer({
          minimum: 0,
          maximum: 60_000,
          description: 'Milliseconds; 0 with DISABLED, and with it only',
        }),
      }),
    ),
  },
  {
    description:
      'Operating mode. Also accepted: filter, selects, accesses and modeSpecificSettings for ' +
      'tagIdFilter, select, access and the settings of the type',
  },
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
