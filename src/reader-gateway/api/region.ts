/** Region of the radio (GET and PUT /cloud/region, supportedRegionList, supportedStandardList). */
import { type Static, TextEnum, Type } from './schema.js';

const FlagText = TextEnum(['true', 'false']);
const TenthsOfDbm = Type.Integer({ description: 'Tenths of a dBm' });
const Channels = Type.Array(Type.Integer(), { description: 'Centre frequencies in kHz' });

export const Regulatory = Type.Object(
  {
    region: Type.String({ description: 'Empty: unknown' }),
    regulatoryStandard: Type.String(),
    lbtEnabled: FlagText,
    channelData: Channels,
    minTxPowerSupported: TenthsOfDbm,
    maxTxPowerSupported: TenthsOfDbm,
  },
  { description: 'Regulatory configuration' },
);
export type Regulatory = Static<typeof Regulatory>;

export const SetRegulatory = Type.Object(
  {
    region: Type.String({
      description: 'One of the supported regions, or a country that has only one: its name or code',
    }),
    regulatoryStandard: Type.Optional(Type.String({ description: 'One of those of the region' })),
    lbtEnabled: Type.Optional(
      Type.Unsafe<boolean | 'true' | 'false'>({
        type: ['boolean', 'string'],
        enum: [true, false, 'true', 'false'],
        description: 'As the rules of the region have it',
      }),
    ),
    channelData: Type.Optional(
      Type.Array(Type.Integer(), {
        minItems: 1,
        uniqueItems: true,
        description: 'Channels to use, kHz; default all. Where hopping is the rule it must be all',
      }),
    ),
    minTxPowerSupported: Type.Optional(Type.Number({ description: 'Read only: not looked at' })),
    maxTxPowerSupported: Type.Optional(Type.Number({ description: 'Read only: not looked at' })),
  },
  { description: 'Region to set' },
);
export type SetRegulatory = Static<typeof SetRegulatory>;

export const SupportedRegions = Type.Object(
  { SupportedRegions: Type.Array(Type.String()) },
  { description: 'Regions that the radio can be set to' },
);
export type SupportedRegions = Static<typeof SupportedRegions>;

export const GetStandards = Type.Object(
  {
    region: Type.String({ minLength: 1, description: 'A region, or a country that has only one' }),
  },
  { description: 'Region whose standards are asked for' },
);
export type GetStandards = Static<typeof GetStandards>;

export const SupportedStandards = Type.Object(
  {
    SupportedStandards: Type.Array(
      Type.Object({
        StandardName: Type.String(),
        isLBTConfigurable: FlagText,
        channelData: Channels,
        isHoppingConfigurable: FlagText,
      }),
    ),
  },
  { description: 'Standards of a region' },
);
export type SupportedStandards = Static<typeof SupportedStandards>;

export const GetCountries = Type.Object(
  { region: Type.Optional(Type.String({ minLength: 1, description: 'Default: all regions' })) },
  { description: 'Region whose countries are asked for' },
);
export type GetCountries = Static<typeof GetCountries>;

export const SupportedCountries = Type.Object(
  {
    SupportedCountries: Type.Array(
      Type.Object({
        country: Type.String({ description: 'ISO 3166 code' }),
        name: Type.String({ description: 'In English' }),
        regions: Type.Array(Type.String(), { description: 'Regions that hold there' }),
      }),
    ),
  },
  { description: 'Countries of the regions that the radio can be set to' },
);
export type SupportedCountries = Static<typeof SupportedCountries>;
