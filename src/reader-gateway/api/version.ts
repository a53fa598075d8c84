/** Version information (GET /cloud/version, get_version). */
import { type Static, Type } from './schema.js';

export const Version = Type.Object(
  {
    readerApplication: Type.String(),
    radioFirmware: Type.String({ description: 'Empty until the radio answered once' }),
    radioControlApplication: Type.String({ description: 'Empty until the radio answered once' }),
    cloudAgentApplication: Type.String(),
    readerOS: Type.String(),
    readerHardware: Type.String(),
    readerBootLoader: Type.String({ description: 'Empty: not known' }),
    readerFileSystem: Type.String({ description: 'Empty: not known' }),
    radioApi: Type.String(),
    availableOsUpgrades: Type.Object({}, { description: 'Empty: no source of upgrades' }),
    model: Type.String(),
    serialNumber: Type.String(),
    revertBackFirmware: Type.Object({
      readerApplication: Type.String({
        description: 'On the secondary partition; empty: nothing to go back to',
      }),
      readerBootLoader: Type.String({ description: 'Empty: not known' }),
      readerFileSystem: Type.String({ description: 'Empty: not known' }),
      readerOS: Type.String({ description: 'Empty: not known' }),
    }),
  },
  { description: 'Version information' },
);
export type Version = Static<typeof Version>;
