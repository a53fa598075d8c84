/** DIRECTIONALITY settings with all defaults, and what is wrong with them beyond their schema. */
import type { TObject } from '@sinclair/typebox';
import {
  AdvancedConfig,
  BasicConfig,
  type BeamConfig,
  type DirectionalitySettings,
} from '../api/directionality.js';
import { show } from '../api/validate.js';

export type EffectiveBasic = Required<BasicConfig>;
export type EffectiveAdvanced = Required<Omit<AdvancedConfig, 'user_defined'>> &
  Pick<AdvancedConfig, 'user_defined'>;

export interface EffectiveDirectionality {
  basicConfig: EffectiveBasic;
  advancedConfig: EffectiveAdvanced;
  aar?: NonNullable<DirectionalitySettings['aar']>;
}

/** The defaults stand in the schema only, so what clients are told is what holds. */
function filled(schema: TObject, given: object): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [key, property] of Object.entries(schema.properties)) {
    const value: unknown = (given as Record<string, unknown>)[key] ?? property.default;
    if (value !== undefined) result[key] = structuredClone(value);
  }
  return result;
}

/** @param settings Fits the schema DirectionalitySettings. */
export function effectiveDirectionality(settings: DirectionalitySettings): EffectiveDirectionality {
  const basicConfig = filled(BasicConfig, settings.basicConfig) as EffectiveBasic;
  basicConfig.beamConfig = effectiveBeams(basicConfig.beamConfig);
  basicConfig.zoneNames ??= Array.from(
    { length: basicConfig.zonePlan },
    (_, index) => `ZONE${index + 1}`,
  );
  const effective: EffectiveDirectionality = {
    basicConfig,
    advancedConfig: filled(AdvancedConfig, settings.advancedConfig) as EffectiveAdvanced,
  };
  if (settings.aar !== undefined) effective.aar = { ...settings.aar };
  return effective;
}

function effectiveBeams({ density, beams }: BeamConfig): BeamConfig {
  if (beams !== undefined) {
    return { beams: beams.map((beam) => ({ ...beam, polarization: beam.polarization ?? 'LHCP' })) };
  }
  return { density: { type: 'DEFAULT', polarization: 'LHCP', ...density } };
}

/**
 * Finds what no schema can: values that contradict each other.
 * @param settings Fits the schema DirectionalitySettings.
 * @param path Of the settings: fields are named `path.basicConfig.tagHeight`.
 */
export function checkDirectionality(
  settings: DirectionalitySettings,
  path: string,
  add: (field: string, message: string) => void,
): void {
  const { basicConfig: basic, advancedConfig: advanced } = effectiveDirectionality(settings);
  const prefix = path === '' ? '' : `${path}.`;
  checkBasic(settings, basic, `${prefix}basicConfig`, add);

  /** `smaller` belongs below `larger`. The one that was set is named: a default is not a mistake. */
  const below = (smaller: keyof AdvancedConfig, larger: keyof AdvancedConfig, equal: boolean) => {
    const low = Number(advanced[smaller]);
    const high = Number(advanced[larger]);
    if (low < high || (equal && low === high)) return;
    const field = settings.advancedConfig[smaller] === undefined ? larger : smaller;
    const given = `${prefix}advancedConfig.${field}`;
    if (field === smaller) {
      add(given, `${low} is not ${equal ? 'at most' : 'below'} the ${larger} of ${high}`);
    } else {
      add(given, `${high} is not ${equal ? 'at least' : 'above'} the ${smaller} of ${low}`);
    }
  };
  below('tag_timeout_seconds_min', 'tag_timeout_seconds_default', true);
  below('tag_timeout_seconds_default', 'tag_timeout_seconds_max', true);
  below('ma_duration_seconds', 'tag_timeout_seconds_min', false);
  below('regression_min_duration_seconds', 'direction_lookback_seconds', false);

  const update = advanced.report_update_duration_seconds;
  if (update !== -1 && update <= 0) {
    add(
      `${prefix}advancedConfig.report_update_duration_seconds`,
      `${update} is neither above 0 nor -1 (never)`,
    );
  }
  const { hysteresis_feet: hysteresis } = advanced;
  // Else a tag could never come so far into an inner zone that it may go back.
  if (hysteresis > basic.innerZoneWidth) {
    add(
      `${prefix}advancedConfig.hysteresis_feet`,
      `${hysteresis} is above the innerZoneWidth of ${basic.innerZoneWidth}`,
    );
  }
  if (settings.aar !== undefined) add(`${prefix}aar`, 'is not supported by this version');
}

function checkBasic(
  settings: DirectionalitySettings,
  basic: EffectiveBasic,
  path: string,
  add: (field: string, message: string) => void,
): void {
  const { readerHeight, tagHeight, zonePlan, zoneNames, zoneExtension, innerZoneWidth } = basic;
  if (tagHeight >= readerHeight) {
    add(`${path}.tagHeight`, `${tagHeight} is not below the readerHeight of ${readerHeight}`);
  }
  // Else the inner zones were one.
  if (zoneExtension >= innerZoneWidth) {
    add(
      `${path}.zoneExtension`,
      `${zoneExtension} is not below the innerZoneWidth of ${innerZoneWidth}`,
    );
  }
  if (zoneNames.length !== zonePlan) {
    const names = `${zoneNames.length} ${zoneNames.length === 1 ? 'name' : 'names'}`;
    add(`${path}.zoneNames`, `has ${names} for the ${zonePlan} zones of the zonePlan`);
  }
  zoneNames.forEach((name, index) => {
    if (zoneNames.indexOf(name) !== index) {
      add(`${path}.zoneNames[${index}]`, `${show(name)} is listed twice`);
    }
  });
  const { density, beams } = settings.basicConfig.beamConfig ?? {};
  if (density !== undefined && beams !== undefined) {
    add(`${path}.beamConfig`, 'has density and beams: give one of them');
  }
}
