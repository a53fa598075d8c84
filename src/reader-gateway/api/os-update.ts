/** OS update (PUT /cloud/os, set_os) and what is told of one that runs (GET /cloud/status). */
import { type FetchLimits, fetchFields } from './fetch.js';
import { type Static, TextEnum, Type } from './schema.js';

export const OS_UPDATE_LIMITS = {
  retries: { default: 20, maximum: 1000 },
  wait: { min: 1, max: 60, maximum: 3600 },
  timeouts: { connection: 30, read: 60, minimum: 1, maximum: 3600 },
} satisfies FetchLimits;

export const OsUpdate = Type.Object(
  {
    url: Type.String({
      pattern: '^[hH][tT][tT][pP][sS]?://.+',
      description: 'an http(s) URL of an update bundle',
    }),
    ...fetchFields(OS_UPDATE_LIMITS),
  },
  { description: 'OS update' },
);
export type OsUpdate = Static<typeof OsUpdate>;

const UPGRADE_STATES = [
  'downloading',
  'installing',
  'rebooting',
  'confirming',
  'rollingBack',
  'finished',
  'failed',
] as const;
const Percent = Type.Integer({ minimum: 0, maximum: 100 });

export const UpdateParts = Type.Object({
  os: Percent,
  rootFileSystem: Percent,
  applications: Percent,
  radioFirmware: Percent,
  platform: Percent,
});

export const UpgradeStatus = Type.Object(
  {
    status: TextEnum(UPGRADE_STATES),
    imageDownloadProgress: Percent,
    overallUpdateProgress: Percent,
    updateProgressDetails: UpdateParts,
    error: Type.Optional(Type.String({ description: 'Why it failed' })),
  },
  { description: 'Progress of an OS update or revert, in percent' },
);
export type UpgradeStatus = Static<typeof UpgradeStatus>;

/** What became of the last update; part of the statistics. */
export const LastOsUpdate = Type.Object(
  {
    kind: TextEnum(['update', 'revert']),
    status: TextEnum(['finished', 'failed']),
    version: Type.String({ description: 'Of the bundle; empty if it was never read' }),
    error: Type.String({ description: 'Empty: it succeeded' }),
    endedAt: Type.String({ description: 'ISO 8601' }),
  },
  { description: 'The last OS update or revert that ended; not there if there was none' },
);
export type LastOsUpdate = Static<typeof LastOsUpdate>;
