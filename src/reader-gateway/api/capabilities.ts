/** Capabilities (GET /cloud/readerCapabilities, get_reader_capabilities). */
import { type Static, Type } from './schema.js';

const Texts = Type.Array(Type.String());

const Capabilities = Type.Object({
  antennas: Type.Array(Type.Object({ port: Type.Integer(), type: Type.String() })),
  apiSupported: Type.Object({
    versions: Type.Object({ version: Type.String(), documentation: Type.String() }),
  }),
  appLedColors: Texts,
  asyncManagementEventsSupported: Type.Boolean(),
  beepersSupported: Type.Boolean(),
  clockSupport: Type.Boolean(),
  daAppsSupported: Type.Boolean(),
  directionalitySupported: Type.Boolean(),
  llrpSupported: Type.Boolean(),
  restAPISupported: Type.Boolean(),
  rssiFilterSupported: Type.Boolean(),
  tagLocationingSupported: Type.Boolean(),
  daAppPackageFormat: Texts,
  daLanguageBindings: Texts,
  externalSerialPort: Texts,
  keypadSupport: Texts,
  messageFormatsSupported: Texts,
  supportedDisplayType: Texts,
  supportedPowerSource: Texts,
  supportedTagDataFormat: Texts,
  triggers: Texts,
  endpointTypesSupported: Type.Array(
    Type.Object({
      SSLSupported: Type.Boolean(),
      authenticationTypesSupported: Texts,
      batchingSupported: Type.Boolean(),
      dataOnly: Type.Boolean(),
      retentionSupported: Type.Boolean(),
      type: Type.String(),
    }),
  ),
  maxAppLEDs: Type.Integer(),
  maxDataEndpoints: Type.Integer(),
  maxNumOperationsInAccessSequence: Type.Integer(),
  maxNumPreFilters: Type.Integer(),
  numGPIs: Type.Integer(),
  numGPOs: Type.Integer(),
  networkInterfaces: Type.Array(
    Type.Object({
      '802.1x': Type.Boolean(),
      internal: Type.Boolean(),
      ipAssignment: Texts,
      ipStack: Texts,
      type: Type.String(),
    }),
  ),
});

export const ReaderCapabilities = Type.Object(
  { capabilities: Capabilities },
  { description: 'What this reader can do' },
);
export type ReaderCapabilities = Static<typeof ReaderCapabilities>;
