import type { Capabilities } from '../../contract/messages.js';
import type { NetworkState } from '../../platform/adapters.js';
import {
  type AuthenticationType,
  type EndpointType,
  ReaderCapabilities,
} from '../api/capabilities.js';
import { MAX_DATA_ENDPOINTS } from '../api/config.js';
import { NoPayload } from '../api/empty.js';
import { fitsRegion } from '../mode/link-profile.js';
import { allVisits } from '../mode/visits.js';
import { modelOf } from '../reader-model/find-model.js';
import type { Operation } from './operation.js';

/** Commands come by MQTT alone. */
const DATA_ONLY: readonly EndpointType[] = ['HTTP', 'TCPIP', 'WEBSOCKET'];

const endpointType = (type: EndpointType, authenticationTypesSupported: AuthenticationType[]) => ({
  SSLSupported: true,
  authenticationTypesSupported,
  batchingSupported: true,
  dataOnly: DATA_ONLY.includes(type),
  retentionSupported: true,
  type,
});

const CODINGS: Readonly<Record<number, 'FM0' | 'M2' | 'M4' | 'M8'>> = {
  1: 'FM0',
  2: 'M2',
  4: 'M4',
  8: 'M8',
};

function linkProfilesOf(known: Capabilities): ReaderCapabilities['capabilities']['linkProfiles'] {
  return known.linkProfiles.map((name, index) => {
    const details = known.linkProfileDetails[index] ?? {};
    return {
      number: index + 1,
      name,
      coding: CODINGS[details.miller ?? 0] ?? 'unknown',
      blfKhz: details.blfKhz ?? 0,
      tariUs: details.tariUs ?? 0,
      pie: details.pie ?? 0,
      modulation: details.modulation ?? '',
      sensitivityDbm: details.sensitivityDbm ?? 0,
      fitsRegion: fitsRegion(name, known),
    };
  });
}

export const getCapabilities: Operation = {
  name: 'getReaderCapabilities',
  summary: 'What this reader can do',
  method: 'GET',
  path: '/cloud/readerCapabilities',
  mqttCommand: 'get_reader_capabilities',
  channel: 'management',
  requestSchema: NoPayload,
  responseSchema: ReaderCapabilities,
  async run({ radio, platform }): Promise<ReaderCapabilities> {
    const known = await radio.capabilities().catch(() => undefined);
    const interfaces = await platform.network.read().catch(() => ({}) as NetworkState);
    const model = known === undefined ? undefined : modelOf(known);
    return {
      capabilities: {
        // Of an array-type reader its beams.
        antennas:
          known === undefined || model === undefined
            ? []
            : allVisits(known, model).map(({ number }) => ({
                port: number,
                type: model.antennaType,
              })),
        apiSupported: { versions: { version: 'v1', documentation: '/cloud/openapi.json' } },
        // What this version does not drive is not there, whatever the board carries.
        appLedColors: [...(platform.leds.at(-1)?.colors ?? [])],
        asyncManagementEventsSupported: true,
        beepersSupported: false,
        clockSupport: true,
        daAppsSupported: true,
        directionalitySupported: model?.directionality ?? false,
        llrpSupported: false,
        restAPISupported: true,
        rssiFilterSupported: (model?.rssiFilter && known?.hasRssiLimit) ?? false,
        tagLocationingSupported: model?.directionality ?? false,
        // Archives are taken as well; public clients know no name of that format.
        daAppPackageFormat: ['DEBIAN'],
        daLanguageBindings: ['NODEJS', 'PYTHON'],
        externalSerialPort: ['NONE'],
        keypadSupport: ['NONE'],
        messageFormatsSupported: ['JSON'],
        supportedDisplayType: ['NONE'],
        supportedPowerSource: ['DC'],
        supportedTagDataFormat: ['HEX', 'GS1'],
        triggers: (model?.gpis ?? 0) > 0 ? ['GPI'] : [],
        endpointTypesSupported: [
          endpointType('HTTP', ['BASIC', 'BEARER', 'TLS', 'MTLS']),
          endpointType('MQTT', ['BASIC', 'TLS', 'MTLS']),
          endpointType('MQTT_WS', ['BASIC', 'TLS', 'MTLS']),
          endpointType('TCPIP', ['TLS', 'MTLS']),
          endpointType('WEBSOCKET', ['TLS']),
          endpointType('AWS_IOT_CORE', ['MTLS']),
          endpointType('AZURE_IOT_HUB', ['BASIC', 'MTLS']),
        ],
        maxAppLEDs: platform.leds.length,
        maxDataEndpoints: MAX_DATA_ENDPOINTS,
        maxNumOperationsInAccessSequence: known?.hasAccess ? (model?.maxAccessOperations ?? 0) : 0,
        maxNumPreFilters: known?.hasSelects ? (model?.maxPreFilters ?? 0) : 0,
        linkProfiles: known === undefined ? [] : linkProfilesOf(known),
        numGPIs: model?.gpis ?? 0,
        numGPOs: model?.gpos ?? 0,
        networkInterfaces: Object.values(interfaces).map(({ accessPoint }) => ({
          '802.1x': false,
          internal: true,
          ipAssignment: ['DHCP', 'STATIC'],
          ipStack: ['IPv4', 'IPv6'],
          type: accessPoint === undefined ? 'ETHERNET' : 'WIFI',
        })),
      },
    };
  },
};
