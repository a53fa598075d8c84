/** modeSpecificSettings of the operating mode DIRECTIONALITY. Lengths in feet, angles in degrees. */
import { Anything, type Static, TextEnum, Type } from './schema.js';

export const DIRECTIONS = ['IN', 'OUT', 'NONE', 'UNKNOWN', 'ERROR'] as const;
export type Direction = (typeof DIRECTIONS)[number];

export const POLARIZATIONS = ['LHCP', 'RHCP', 'PHI', 'THETA', 'TOTAL'] as const;

/** A beam that is flatter hits the floor too far away to say anything about a tag's place. */
export const MAX_ELEVATION = 80;

const polarization = Type.Optional(TextEnum(POLARIZATIONS, { default: 'LHCP' }));

/** A choice that is on or off. */
const Switch = (on: boolean, description: string) =>
  Type.Optional(Type.Boolean({ default: on, description }));

const Seconds = (standard: number, description: string, maximum = 86_400) =>
  Type.Optional(
    Type.Number({ exclusiveMinimum: 0, maximum, default: standard, description: description }),
  );

export const BeamSettings = Type.Object({
  azimuth: Type.Integer({
    minimum: -359,
    maximum: 359,
    description: 'Clockwise from the mark of the reader, seen from above',
  }),
  elevation: Type.Integer({
    minimum: 0,
    maximum: MAX_ELEVATION,
    description: 'From the vertical: 0 is straight down',
  }),
  polarization,
});
export type BeamSettings = Static<typeof BeamSettings>;

export const BeamConfig = Type.Object(
  {
    density: Type.Optional(
      Type.Object({
        type: Type.Optional(TextEnum(['DEFAULT', 'DENSE', 'SPARSE'], { default: 'DEFAULT' })),
        polarization,
      }),
    ),
    beams: Type.Optional(Type.Array(BeamSettings, { minItems: 1, maxItems: 500 })),
  },
  {
    default: { density: { type: 'DEFAULT', polarization: 'LHCP' } },
    description: 'density or beams, not both',
  },
);
export type BeamConfig = Static<typeof BeamConfig>;

export const BasicConfig = Type.Object({
  readerHeight: Type.Optional(
    Type.Number({ minimum: 10, maximum: 20, default: 15, description: 'Of the reader, in feet' }),
  ),
  tagHeight: Type.Optional(
    Type.Number({ minimum: 0, maximum: 20, default: 3, description: 'Of the tags, in feet' }),
  ),
  orientation: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 359,
      default: 0,
      description: 'How far the mark of the reader is turned clockwise from the way in',
    }),
  ),
  zonePlan: Type.Optional(
    Type.Unsafe<4 | 6>({
      enum: [4, 6],
      default: 4,
      description: '4 zones along the way, or 6 with the left and the right side',
    }),
  ),
  innerZoneWidth: Type.Optional(
    Type.Number({
      minimum: 1,
      maximum: 100,
      default: 10,
      description: 'Feet from the line under the reader to the far border of an inner zone',
    }),
  ),
  zoneExtension: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 100,
      default: 0,
      description: 'Feet by which each inner zone reaches into the other',
    }),
  ),
  beamConfig: Type.Optional(BeamConfig),
  zoneNames: Type.Optional(
    Type.Array(Type.String({ minLength: 1 }), {
      description: 'One name per zone; default ZONE1, ZONE2, ...',
    }),
  ),
});
export type BasicConfig = Static<typeof BasicConfig>;

export const AdvancedConfig = Type.Object({
  report_new: Switch(true, 'NEW events'),
  report_transition: Switch(true, 'TRANSITION events'),
  report_timed_out: Switch(true, 'TIMED_OUT events'),
  report_direction: Type.Optional(
    Type.Array(TextEnum(DIRECTIONS), {
      default: [...DIRECTIONS],
      description: 'Only TIMED_OUT events with one of these directions',
    }),
  ),
  report_location_history: Switch(false, 'The latest locations in TIMED_OUT events'),
  report_zone_history: Switch(false, 'The latest zones in TIMED_OUT events'),
  report_raw: Switch(false, 'A RAW_DIRECTIONALITY event per read'),
  report_update_duration_seconds: Type.Optional(
    Type.Number({
      minimum: -1,
      maximum: 86_400,
      default: -1,
      description: 'An UPDATE event when a tag had no event for so long; -1 = never',
    }),
  ),
  tag_timeout_seconds_min: Seconds(30, 'The shortest time without reads until a tag is gone'),
  tag_timeout_seconds_default: Seconds(30, 'The same time until the gaps of a tag are known'),
  tag_timeout_seconds_max: Seconds(3600, 'The longest time without reads until a tag is gone'),
  sigma_multiplier: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 1000,
      default: 5,
      description: 'A tag is gone after its mean gap and so many standard deviations of its gaps',
    }),
  ),
  background_processing_interval_seconds: Type.Optional(
    Type.Number({
      minimum: 0.05,
      maximum: 60,
      default: 0.5,
      description: 'Between two evaluations of the reads',
    }),
  ),
  direction_lookback_seconds: Seconds(5, 'Before the last read, to find the direction', 600),
  ma_duration_seconds: Seconds(3, 'Window of the moving average of the location', 600),
  debug_level: Type.Optional(
    TextEnum(['DEBUG', 'INFO', 'WARNING', 'ERROR'], {
      default: 'INFO',
      description: 'Accepted without effect: the reader has one log level',
    }),
  ),
  hysteresis_feet: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 100,
      default: 2,
      description: 'How far into a zone a tag must come before it can go back',
    }),
  ),
  user_defined: Type.Optional(
    Type.Unsafe<string | Record<string, unknown>>({
      ...Anything({ description: 'A text or an object, copied into each event' }),
      type: ['string', 'object'],
    }),
  ),
  regression_min_n: Type.Optional(
    Type.Integer({
      minimum: 2,
      maximum: 10_000,
      default: 3,
      description: 'Locations a direction needs',
    }),
  ),
  regression_min_duration_seconds: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 600,
      default: 0.75,
      description: 'Time these locations span at least',
    }),
  ),
  regression_extrapolation_multiplier: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1000,
      default: 1,
      description:
        'How many lookbacks before and after it the line under the reader may be crossed',
    }),
  ),
  regression_slope_threshold: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 100,
      default: 0,
      description: 'Feet per second; a slower tag has the direction NONE',
    }),
  ),
  confirm_direction_with_final_zone: Switch(false, 'UNKNOWN if the last zone contradicts'),
  max_tags_limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100_000, default: 2000, description: 'Tags remembered' }),
  ),
  raw_location_conf_threshold: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 100,
      default: 50,
      description: 'Confidence in percent below which reads do not count for the location',
    }),
  ),
});
export type AdvancedConfig = Static<typeof AdvancedConfig>;

export const Aar = Type.Object(
  {
    address: Type.String({
      pattern: '^(\\[[0-9A-Fa-f:.]+\\]|[^\\s:/\\[\\]]+):[0-9]{1,5}$',
      description: 'host:port',
    }),
    x: Type.Number({ description: 'Feet' }),
    y: Type.Number({ description: 'Feet' }),
    z: Type.Number({ description: 'Feet' }),
    offset: Type.Number({ minimum: 0, maximum: 359, description: 'Degrees' }),
  },
  { description: 'Another array reader. Refused: not supported by this version' },
);
export type Aar = Static<typeof Aar>;

export const DirectionalitySettings = Type.Object(
  { basicConfig: BasicConfig, advancedConfig: AdvancedConfig, aar: Type.Optional(Aar) },
  { description: 'Settings of DIRECTIONALITY' },
);
export type DirectionalitySettings = Static<typeof DirectionalitySettings>;
