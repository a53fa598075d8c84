/** All that was set on a reader, as one file: export, import and template. */
import { CableLosses } from './cable-loss.js';
import { ReaderConfig } from './config.js';
import { takesEffect } from './effects.js';
import { LogConfig } from './logs.js';
import { OperatingMode } from './mode.js';
import { NameAndDescription } from './name-and-description.js';
import { type Static, Type } from './schema.js';

export const ChosenRegion = Type.Object({
  region: Type.String({ minLength: 1, description: 'One of the supported regions' }),
  channels: Type.Array(Type.Integer({ minimum: 1 }), {
    description: 'Channels to use, kHz; none = all of the region',
  }),
});
export type ChosenRegion = Static<typeof ChosenRegion>;

export const ReaderSettings = Type.Object(
  {
    formatVersion: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Version of this file; default 1' }),
    ),
    config: Type.Optional(
      Type.Unsafe<ReaderConfig>({ ...ReaderConfig, description: 'As PUT /cloud/config takes it' }),
    ),
    mode: Type.Optional(
      Type.Unsafe<OperatingMode>({
        ...OperatingMode,
        description: 'Operating mode, as PUT /cloud/mode takes it',
        ...takesEffect('next-round'),
      }),
    ),
    cableLoss: Type.Optional(
      Type.Unsafe<CableLosses>({ ...CableLosses, ...takesEffect('next-round') }),
    ),
    region: Type.Optional(
      Type.Unsafe<ChosenRegion>({
        ...ChosenRegion,
        description: 'Region of the radio; not there: the one that the radio came with',
        ...takesEffect('stopped'),
      }),
    ),
    nameAndDescription: Type.Optional(
      Type.Unsafe<NameAndDescription>({ ...NameAndDescription, ...takesEffect('at-once') }),
    ),
    logs: Type.Optional(Type.Unsafe<LogConfig>({ ...LogConfig, ...takesEffect('at-once') })),
  },
  {
    additionalProperties: false,
    description:
      'All that was set on a reader. A part that is not there stays as it is when the file is ' +
      'imported; one that is there is replaced as a whole',
  },
);
export type ReaderSettings = Static<typeof ReaderSettings>;

export const FactoryReset = Type.Object(
  {
    confirm: Type.Unsafe<true>({
      type: 'boolean',
      enum: [true],
      description: 'So that no slip does it',
    }),
  },
  { description: 'Factory reset' },
);

export const FactoryResetAnswer = Type.String({ description: 'What happens now, for people' });
