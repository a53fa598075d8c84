/** Capabilities (GET /cloud/readerCapabilities, get_reader_capabilities). */
import { type Static, TextEnum, Type } from './schema.js';

/** Texts that clients know; a strict one takes no others. */
const Texts = <const T extends readonly string[]>(...values: T) => Type.Array(TextEnum(values));

const AUTHENTICATION_TYPES = [
  'ANY',
  'ANYSAFE',
  'BASIC',
  'BEARER',
  'DIGEST',
  'DIGEST_IE',
  'MTLS',
  'NTLM',
  'NTLM_WB',
  'ONLY',
  'TLS',
] as const;
export type AuthenticationType = (typeof AUTHENTICATION_TYPES)[number];

const ENDPOINT_TYPES = [
  'HTTP',
  'MQTT',
  'MQTT_WS',
  'TCPIP',
  'WEBSOCKET',
  'AWS_IOT_CORE',
  'AZURE_IOT_HUB',
] as const;
export type EndpointType = (typeof ENDPOINT_TYPES)[number];

const LinkProfile = Type.Object(
  {
    number: Type.Integer({ description: 'As linkProfile of a mode takes it' }),
    name: Type.String({ description: 'Coding and backscatter link frequency in kHz: M4-250' }),
    coding: TextEnum(['FM0', 'M2', 'M4', 'M8', 'unknown'], { description: 'Of the replies' }),
    blfKhz: Type.Number({ description: 'Backscatter link frequency; 0 = not known, as all below' }),
    tariUs: Type.Number({ description: 'Length of a 0 of the reader' }),
    pie: Type.Number({ description: 'Length of a 1 over that of a 0' }),
    modulation: Type.String({ description: 'Of the carrier: DSB-ASK, SSB-ASK or PR-ASK' }),
    sensitivityDbm: Type.Number({ description: 'Weakest reply that is understood' }),
    fitsRegion: Type.Boolean({ description: 'Fits into the channels of the present region' }),
  },
  { description: 'How reader and tags talk' },
);

const Capabilities = Type.Object({
  linkProfiles: Type.Array(LinkProfile, { description: 'Beyond the interface' }),
  antennas: Type.Array(
    Type.Object({ port: Type.Integer(), type: TextEnum(['INTERNAL', 'EXTERNAL']) }),
  ),
  apiSupported: Type.Object({
    versions: Type.Object({ version: Type.String(), documentation: Type.String() }),
  }),
  appLedColors: Texts('RED', 'AMBER', 'GREEN'),
  asyncManagementEventsSupported: Type.Boolean(),
  beepersSupported: Type.Boolean(),
  clockSupport: Type.Boolean(),
  daAppsSupported: Type.Boolean(),
  directionalitySupported: Type.Boolean(),
  llrpSupported: Type.Boolean(),
  restAPISupported: Type.Boolean(),
  rssiFilterSupported: Type.Boolean(),
  tagLocationingSupported: Type.Boolean(),
  daAppPackageFormat: Texts('DEBIAN'),
  daLanguageBindings: Texts('PYTHON', 'NODEJS'),
  externalSerialPort: Texts('DEBUG', 'USER', 'NONE'),
  keypadSupport: Texts('28-KEY', 'NONE'),
  messageFormatsSupported: Texts('JSON'),
  supportedDisplayType: Texts('LCD', 'NONE'),
  supportedPowerSource: Texts('DC', 'POE', 'POE+', 'BATTERY'),
  supportedTagDataFormat: Texts('HEX', 'GS1'),
  triggers: Texts('GPI', 'HANDHELD'),
  endpointTypesSupported: Type.Array(
    Type.Object({
      SSLSupported: Type.Boolean(),
      authenticationTypesSupported: Texts(...AUTHENTICATION_TYPES),
      batchingSupported: Type.Boolean(),
      dataOnly: Type.Boolean(),
      retentionSupported: Type.Boolean(),
      type: TextEnum(ENDPOINT_TYPES),
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
      ipAssignment: Texts('DHCP', 'STATIC'),
      ipStack: Texts('IPv4', 'IPv6'),
      type: TextEnum(['ETHERNET', 'WIFI', 'BLUETOOTH']),
    }),
  ),
});

export const ReaderCapabilities = Type.Object(
  { capabilities: Capabilities },
  { description: 'What this reader can do' },
);
export type ReaderCapabilities = Static<typeof ReaderCapabilities>;
