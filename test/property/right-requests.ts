/**
 * Right requests of operations whose rules say more than their schemas: what is made of the schema
 * alone is hardly ever right. Faults are put into these as well.
 */
import { readMacAddress } from '../../src/platform/identity.js';
import { postTo } from '../gateway/connection-tests.js';
import { PASSWORD } from '../gateway/reader.js';
import { CERTIFICATE, certificateContent } from './needed.js';

const POLICY = { retry: { type: 'randomWait', policy: { retries: 0, wait: { min: 0, max: 0 } } } };
const FETCH = { url: 'http://192.0.2.1/a.tar.gz', authenticationType: 'NONE', ...POLICY };
const MODES = [
  { type: 'SIMPLE' },
  {
    type: 'CUSTOM',
    antennas: [1, 2],
    transmitPower: [20, 25.5],
    query: [
      { session: 'S0', target: 'AB' },
      { session: 2, tagPopulation: 30 },
    ],
    selects: [[], [select('S2', 'INVA_INVB')]],
    accesses: [
      { type: 'ACCESS', config: { password: '0a0b0c0d' } },
      { type: 'READ', config: { membank: 'TID', wordPointer: 0, wordCounter: 2 } },
      { type: 'WRITE', config: { membank: 'USER', wordPointer: 1, data: 'a1b2', blockSize: 0 } },
      { type: 'LOCK', config: { actions: ['WRITE_LOCK_USER_BANK'] } },
    ],
    tagMetaData: ['ANTENNA', 'EPC[1,3-5]', { antennaNames: ['in', 'out'] }],
    reportFilter: { duration: 0, type: 'PER_ANTENNA' },
    environment: 'AUTO_DETECT',
  },
  {
    type: 'INVENTORY',
    antennas: [1, 2],
    antennaStopCondition: [
      { type: 'DURATION', value: 400 },
      { type: 'GPI', value: { port: 1, signal: 'LOW' } },
    ],
    modeSpecificSettings: { interval: { value: 5, unit: 'seconds' } },
    radioStopConditions: { duration: 5, antennaCycles: 3, gpis: [{ port: 1, signal: 'HIGH' }] },
    tagMetaData: [{ userDefined: { a: [1] } }],
  },
  {
    type: 'PORTAL',
    portalSettings: { startTrigger: { port: 1, signal: 'LOW' }, stopInterval: 3 },
    filter: { value: 'ab', match: 'prefix', operation: 'include' },
    delayAfterSelects: 5,
  },
];
const MQTT = {
  type: 'mqtt',
  name: 'a',
  options: {
    endpoint: { hostName: 'broker.example', port: 1883, protocol: 'tcp' },
    enableSecurity: false,
    security: { keyFormat: 'PEM', verifyPeer: true, installedCertificateType: 'client' },
    basicAuthentication: { username: 'me', password: 'x' },
    additional: { keepAlive: 60, clientId: 'c', qos: 1, retain: false },
    publishTopic: ['a/b'],
  },
  additionalOptions: { batching: { reportingInterval: 10, maxPayloadSizePerReport: 1000 } },
};
const macAdress = readMacAddress();
const NETWORK = {
  macAdress,
  hostName: 'reader',
  dhcp: false,
  ipAddress: '192.0.2.5',
  subnetMask: '255.255.255.0',
  gatewayAddress: '192.0.2.1',
  dnsAddress: '192.0.2.1',
};
const GPIO_LED = { TAG_READ: [{ type: 'GPO', pin: 1, state: 'HIGH' }] };
const EVENTS = {
  errors: { cpu: { threshold: 95, reportIntervalInSec: 60 }, ntp: false },
  heartbeat: { fields: { userDefined: 'a' }, interval: 30 },
  gpiEvents: false,
};
const OTHER_PASSWORD = 'another password for tests';
const CABLES_BY_PORT = { 2: { cableLength: 1, cableLossPerHundredFt: 1 } };
const CABLES = {
  cableLength: 3,
  cableLossPerHundredFt: 0.5,
  ...CABLES_BY_PORT,
};

function select(target: string, action: string): object {
  return { target, action, membank: 'EPC', pointer: 32, length: 16, mask: 'a1b2' };
}

/** By the name of the operation; others have none. */
export const RIGHT_REQUESTS: Readonly<Record<string, readonly object[]>> = {
  setMode: MODES,
  explainMode: MODES,
  setConfig: [
    { 'READER-GATEWAY': { endpointConfig: { data: { event: { connections: [MQTT] } } } } },
    {
      'READER-GATEWAY': {
        retention: { throttle: 100, maxNumEvents: 10 },
        endpointConfig: { management: { commandResponse: { connections: [] } } },
      },
    },
    { 'GPIO-LED': GPIO_LED },
    { 'READER-GATEWAY': { managementEventConfig: EVENTS } },
  ],
  setGpioLed: [GPIO_LED],
  setManagementEventConfig: [EVENTS],
  importCloudConfig: [
    { endpointConfig: { data: { event: { connections: [MQTT] } } } },
    { endpointConfig: { management: { event: { connections: [MQTT] } } } },
  ],
  importConfig: [
    {
      formatVersion: 1,
      config: { 'GPIO-LED': GPIO_LED, 'READER-GATEWAY': { managementEventConfig: EVENTS } },
      mode: { type: 'SIMPLE', antennas: [1, 2] },
      cableLoss: CABLES_BY_PORT,
      region: { region: 'listenland', channels: [866_300] },
      nameAndDescription: { name: 'a', description: 'b' },
      logs: {},
    },
  ],
  updatePassword: [
    { userName: 'admin', currentPassword: PASSWORD, newPassword: OTHER_PASSWORD },
    { userName: 'admin', currentPassword: OTHER_PASSWORD, newPassword: PASSWORD },
  ],
  setAppLed: [{ color: 'red', seconds: 60, flash: false }],
  setGpo: [{ port: 1, state: true }],
  testConnection: [MQTT, postTo('http://192.0.2.1/', { authenticationType: 'BASIC' })],
  setNetwork: [NETWORK, { macAdress, hostName: 'reader', dhcp: true }],
  setHostname: [{ hostname: 'reader-7.example' }],
  setTimeZone: [{ timeZone: 'London' }],
  setNtpServer: [{ server: 'time.example' }],
  setRegion: [{ region: 'listenland', channelData: [866_300], lbtEnabled: 'true' }],
  getSupportedStandardList: [{ region: 'hopland' }, { region: 'US' }],
  getSupportedCountryList: [{ region: 'hopland' }],
  setCableLossCompensation: [CABLES],
  installUserApp: [{ ...FETCH, filename: 'a.tar.gz', headers: { 'X-A': 'b' } }],
  setOs: [{ ...FETCH, timeouts: { connection: 1, read: 1 } }],
  get installCertificate() {
    return [
      {
        certname: 'a',
        type: 'client',
        url: 'https://192.0.2.1/a.pfx',
        pfxPassword: 'x',
        ...POLICY,
      },
      { certname: 'a', type: 'app', CACertificateFileLocation: '/nothing.pem' },
      { certname: 'a', type: 'server', pfxContent: 'AAAA' },
      { certname: 'a', type: 'app', ...certificateContent() },
    ];
  },
  deleteCertificate: [{ certname: CERTIFICATE.name, type: CERTIFICATE.type }],
  refreshCertificate: [{ certname: CERTIFICATE.name, type: CERTIFICATE.type }],
  createCertificateRequest: [
    { certname: 'a', type: 'server', keyType: 'EC-P256', subject: { commonName: 'x' }, hosts: [] },
  ],
  sendToUserApp: [{ appname: 'a', userapp: 'a', command: 'x' }],
};
