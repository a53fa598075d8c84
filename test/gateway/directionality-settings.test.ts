/** The settings: their defaults and every way to contradict themselves. */
import t from 'tap';
import { DirectionalitySettings } from '../../src/reader-gateway/api/directionality.js';
import { findViolations } from '../../src/reader-gateway/api/validate.js';
import {
  checkDirectionality,
  effectiveDirectionality,
} from '../../src/reader-gateway/directionality/settings.js';

t.test('the defaults are those of the interface', async (t) => {
  t.same(effectiveDirectionality({ basicConfig: {}, advancedConfig: {} }), {
    basicConfig: {
      readerHeight: 15,
      tagHeight: 3,
      orientation: 0,
      zonePlan: 4,
      innerZoneWidth: 10,
      zoneExtension: 0,
      beamConfig: { density: { type: 'DEFAULT', polarization: 'LHCP' } },
      zoneNames: ['ZONE1', 'ZONE2', 'ZONE3', 'ZONE4'],
    },
    advancedConfig: {
      report_new: true,
      report_transition: true,
      report_timed_out: true,
      report_direction: ['IN', 'OUT', 'NONE', 'UNKNOWN', 'ERROR'],
      report_location_history: false,
      report_zone_history: false,
      report_raw: false,
      report_update_duration_seconds: -1,
      tag_timeout_seconds_min: 30,
      tag_timeout_seconds_default: 30,
      tag_timeout_seconds_max: 3600,
      sigma_multiplier: 5,
      background_processing_interval_seconds: 0.5,
      direction_lookback_seconds: 5,
      ma_duration_seconds: 3,
      debug_level: 'INFO',
      hysteresis_feet: 2,
      regression_min_n: 3,
      regression_min_duration_seconds: 0.75,
      regression_extrapolation_multiplier: 1,
      regression_slope_threshold: 0,
      confirm_direction_with_final_zone: false,
      max_tags_limit: 2000,
      raw_location_conf_threshold: 50,
    },
  });
});

t.test('what is given stays, what is left out is filled', async (t) => {
  const aar = { address: '192.0.2.7:5160', x: 1, y: 2, z: 15, offset: 90 };
  const { basicConfig, advancedConfig, ...rest } = effectiveDirectionality({
    basicConfig: { zonePlan: 6, beamConfig: { beams: [{ azimuth: 10, elevation: 20 }] } },
    advancedConfig: { user_defined: { door: 1 }, report_direction: [], report_new: false },
    aar,
  });
  t.same(basicConfig.zoneNames, ['ZONE1', 'ZONE2', 'ZONE3', 'ZONE4', 'ZONE5', 'ZONE6']);
  t.same(basicConfig.beamConfig, {
    beams: [{ azimuth: 10, elevation: 20, polarization: 'LHCP' }],
  });
  t.match(advancedConfig, { user_defined: { door: 1 }, report_new: false });
  t.same(advancedConfig.report_direction, []);
  t.same(rest, { aar });
  const dense = effectiveDirectionality({
    basicConfig: { beamConfig: { density: { type: 'DENSE' } } },
    advancedConfig: {},
  });
  t.same(dense.basicConfig.beamConfig, { density: { type: 'DENSE', polarization: 'LHCP' } });
});

/** Basic settings, advanced settings, and the one violation. */
const wrong: [object, object, string, string][] = [
  [{ zoneNames: ['a'] }, {}, 'basicConfig.zoneNames', 'has 1 name for the 4 zones of the zonePlan'],
  [
    { zonePlan: 6, zoneNames: ['a', 'b', 'c', 'd'] },
    {},
    'basicConfig.zoneNames',
    'has 4 names for the 6 zones of the zonePlan',
  ],
  [{ zoneNames: ['a', 'b', 'a', 'c'] }, {}, 'basicConfig.zoneNames[2]', '"a" is listed twice'],
  [
    { readerHeight: 10, tagHeight: 10 },
    {},
    'basicConfig.tagHeight',
    '10 is not below the readerHeight of 10',
  ],
  [
    { zoneExtension: 10 },
    {},
    'basicConfig.zoneExtension',
    '10 is not below the innerZoneWidth of 10',
  ],
  [
    { beamConfig: { density: {}, beams: [{ azimuth: 0, elevation: 0 }] } },
    {},
    'basicConfig.beamConfig',
    'has density and beams: give one of them',
  ],
  [
    {},
    { tag_timeout_seconds_min: 40 },
    'advancedConfig.tag_timeout_seconds_min',
    '40 is not at most the tag_timeout_seconds_default of 30',
  ],
  [
    {},
    { tag_timeout_seconds_default: 10 },
    'advancedConfig.tag_timeout_seconds_default',
    '10 is not at least the tag_timeout_seconds_min of 30',
  ],
  [
    {},
    { tag_timeout_seconds_default: 5000 },
    'advancedConfig.tag_timeout_seconds_default',
    '5000 is not at most the tag_timeout_seconds_max of 3600',
  ],
  [
    {},
    { tag_timeout_seconds_max: 20 },
    'advancedConfig.tag_timeout_seconds_max',
    '20 is not at least the tag_timeout_seconds_default of 30',
  ],
  [
    {},
    { ma_duration_seconds: 30 },
    'advancedConfig.ma_duration_seconds',
    '30 is not below the tag_timeout_seconds_min of 30',
  ],
  [
    {},
    { tag_timeout_seconds_min: 2 },
    'advancedConfig.tag_timeout_seconds_min',
    '2 is not above the ma_duration_seconds of 3',
  ],
  [
    {},
    { regression_min_duration_seconds: 5 },
    'advancedConfig.regression_min_duration_seconds',
    '5 is not below the direction_lookback_seconds of 5',
  ],
  [
    {},
    { direction_lookback_seconds: 0.5 },
    'advancedConfig.direction_lookback_seconds',
    '0.5 is not above the regression_min_duration_seconds of 0.75',
  ],
  [
    {},
    { report_update_duration_seconds: 0 },
    'advancedConfig.report_update_duration_seconds',
    '0 is neither above 0 nor -1 (never)',
  ],
  [
    { innerZoneWidth: 1 },
    {},
    'advancedConfig.hysteresis_feet',
    '2 is above the innerZoneWidth of 1',
  ],
];

for (const [basicConfig, advancedConfig, field, message] of wrong) {
  t.test(`${field}: ${message}`, async (t) => {
    const settings = { basicConfig, advancedConfig };
    t.same(findViolations(DirectionalitySettings, settings), [], 'no fault of the shape');
    const found: object[] = [];
    checkDirectionality(settings, 'modeSpecificSettings', (field, message) =>
      found.push({ field, message }),
    );
    t.same(found, [{ field: `modeSpecificSettings.${field}`, message }]);
  });
}

t.test('right settings have no violation, another array reader is refused', async (t) => {
  const found: string[] = [];
  const check = (settings: DirectionalitySettings) =>
    checkDirectionality(settings, '', (field) => found.push(field));
  check({ basicConfig: {}, advancedConfig: {} });
  check({
    basicConfig: { zonePlan: 6, zoneNames: ['a', 'b', 'c', 'd', 'e', 'f'], zoneExtension: 9.9 },
    advancedConfig: { report_update_duration_seconds: 0.5, tag_timeout_seconds_min: 3.1 },
  });
  t.same(found, []);
  const aar = { address: 'array-2:5160', x: 1, y: 2, z: 15, offset: 90 };
  check({ basicConfig: {}, advancedConfig: {}, aar });
  t.same(found, ['aar']);
});

t.test('the schema names what has the wrong shape', async (t) => {
  const fields = (settings: object) =>
    findViolations(DirectionalitySettings, settings).map(({ field }) => field);
  t.same(fields({}), ['basicConfig', 'advancedConfig']);
  const advancedConfig = {
    report_direction: ['IN', 'UP'],
    user_defined: 7,
    sigma_multiplier: 1.5,
    raw_location_conf_threshold: 101,
    report_update_duration_seconds: -2,
    ma_duration_seconds: 0,
    debug_level: 'TRACE',
    max_tags_limit: 0,
  };
  t.same(
    fields({
      basicConfig: {
        readerHeight: 9,
        orientation: 360,
        zonePlan: 5,
        beamConfig: { beams: [{ azimuth: 0 }] },
      },
      advancedConfig,
      aar: { address: 'nowhere', x: 0, y: 0, z: 0 },
    }).sort(),
    [
      'aar.address',
      'aar.offset',
      ...Object.keys(advancedConfig).map((key) =>
        key === 'report_direction' ? 'advancedConfig.report_direction[1]' : `advancedConfig.${key}`,
      ),
      'basicConfig.beamConfig.beams[0].elevation',
      'basicConfig.orientation',
      'basicConfig.readerHeight',
      'basicConfig.zonePlan',
    ].sort(),
  );
  t.same(fields({ basicConfig: {}, advancedConfig: { user_defined: 'text' }, more: 1 }), []);
});
