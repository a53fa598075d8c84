/** update.json: the update that runs, or the last one that ended. */
import { OsUpdate, UpdateParts } from '../api/os-update.js';
import { type Static, TextEnum, Type } from '../api/schema.js';

/**
 * In their order; each begins with this record on the disk, and may be begun again after a
 * restart. A revert begins with `activating`.
 */
export const PHASES = [
  'downloading',
  'installing',
  'activating',
  'rebooting',
  'confirming',
  'rollingBack',
  'finished',
  'failed',
] as const;
export type Phase = (typeof PHASES)[number];

export const UpdateRecord = Type.Object({
  kind: TextEnum(['update', 'revert']),
  phase: TextEnum(PHASES),
  /** While it downloads; it holds credentials, and goes with the last byte. */
  request: Type.Optional(OsUpdate),
  mark: Type.Optional(
    Type.Object({
      bytes: Type.Integer({ minimum: 0 }),
      validator: Type.Optional(Type.String()),
      total: Type.Optional(Type.Integer({ minimum: 0 })),
    }),
  ),
  /** Of the whole file, once it is there. */
  sha256: Type.Optional(Type.String()),
  version: Type.String(),
  /** The slot that ran when it began. */
  from: Type.String(),
  /** The slot to be booted, once it is known. */
  target: Type.Optional(Type.String()),
  /** How far each part was installed, to be told after the reboot as well. */
  parts: Type.Optional(UpdateParts),
  reboots: Type.Integer({ minimum: 0 }),
  /** The radio answered before the update: it must do so afterwards. */
  radioAnswered: Type.Boolean(),
  error: Type.String(),
  startedAt: Type.String(),
  endedAt: Type.Optional(Type.String()),
});
export type UpdateRecord = Static<typeof UpdateRecord>;

export function isRunning(record: UpdateRecord | undefined): record is UpdateRecord {
  return record !== undefined && record.phase !== 'finished' && record.phase !== 'failed';
}
