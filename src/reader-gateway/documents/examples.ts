/** A value of each schema, for people and for tools that make requests. The documents check them. */
import { STEPS } from '../api/connection-test.js';
import { powerLimits } from '../mode/transmit-power.js';
import { allVisits } from '../mode/visits.js';
import type { ReaderFacts } from './reader-facts.js';

export type Examples = Readonly<Record<string, readonly unknown[]>>;

const TIME = '2024-05-06T07:08:09.123+0000';
const ID = '30340242201d8840000004d2';
const CERTIFICATE = { name: 'broker', type: 'client' };
const FETCH = { url: 'https://files.example/singulate', authenticationType: 'NONE' };
const SPACE = { total: '3000000', free: '1000000', used: '2000000' };
const BATCHING = { reportingInterval: 1000, maxPayloadSizePerReport: 256_000 };
const RETENTION = { throttle: 100, maxNumEvents: 150_000, maxEventRetentionTimeInMin: 0 };
const CABLE = { cableLength: 20, cableLossPerHundredFt: 6.5 };

const MQTT_OPTIONS = {
  endpoint: { hostName: 'broker.example', port: 8883, protocol: 'ssl' },
  enableSecurity: true,
  security: { verifyPeer: true, verifyHostName: true },
  basicAuthentication: { username: 'reader', password: 'secret' },
  additional: { keepAlive: 60, cleanSession: true, clientId: 'dock-1', qos: 1 },
  publishTopic: ['dock/1/events'],
};
const DATA_CONNECTION = {
  type: 'mqtt',
  name: 'warehouse',
  description: 'Broker of the warehouse',
  options: MQTT_OPTIONS,
  additionalOptions: { batching: BATCHING, retention: RETENTION },
};
const GPIO_LED = {
  GPODefaults: { '1': 'LOW' },
  GPIDebounce: { '1': 50 },
  TAG_READ: [
    {
      type: 'GPO',
      pin: 1,
      state: 'HIGH',
      postActionState: 'LOW',
      blink: { ON: 100, OFF: 100, DURATION: 600 },
      conditions: ['IS_CLOUD_CONNECTED'],
    },
  ],
};
const PROGRESS = { os: 10, rootFileSystem: 10, applications: 0, radioFirmware: 0, platform: 0 };

const PATHS = { connectionError: '', connectionStatus: 'connected', interface: 'mqtt' };
const COUNTS = { Txed: 120, Retained: 0, Dropped: 0, Retried: 0 };
const CONNECTION = {
  ...PATHS,
  description: 'Broker of the warehouse',
  ...Object.fromEntries(
    Object.entries(COUNTS).map(([name, count]) => [`numDataMessages${name}`, count]),
  ),
};

export function examplesFor(facts: ReaderFacts | undefined): Examples {
  const antenna = facts === undefined ? 1 : (allVisits(facts.radio, facts.model)[0]?.number ?? 1);
  const ports = (facts?.radio.antennas ?? [1]).map(String);
  const byPort = (value: unknown) => Object.fromEntries(ports.map((port) => [port, value]));
  const transmitPower = facts === undefined ? 27 : powerLimits(facts.radio, facts.model).defaultDbm;
  const [region = 'etsi'] = facts?.regions ?? [];
  const [networkInterface = 'eth0'] = facts?.interfaces ?? [];
  const addresses = {
    ipAddress: '192.0.2.10',
    subnetMask: '255.255.255.0',
    gatewayAddress: '192.0.2.1',
    dnsAddress: '192.0.2.1',
  };
  const mode = {
    type: 'INVENTORY',
    antennas: [antenna],
    transmitPower,
    tagMetaData: ['ANTENNA', 'RSSI', 'SEEN_COUNT'],
    inventorySettings: { interval: { value: 5, unit: 'seconds' } },
  };
  return {
    AppLedAnswer: ['The LED is red for 5 seconds'],
    AppLedState: ['DEFAULT'],
    Batching: [BATCHING],
    CableLoss: [CABLE],
    CableLosses: [byPort(CABLE)],
    CertificateList: [
      [
        {
          ...CERTIFICATE,
          installTime: 'Mon May 6 07:08:09 2024',
          issuerName: 'CN=Warehouse CA',
          publickey: '-----BEGIN PUBLIC KEY-----\n...\n-----END PUBLIC KEY-----\n',
          serial: '4711',
          subjectName: 'CN=dock-1',
          validityStart: '06/05/2024',
          validityEnd: '06/05/2026',
        },
      ],
    ],
    CertificateSigningRequest: [
      { csr: '-----BEGIN CERTIFICATE REQUEST-----\n...\n-----END CERTIFICATE REQUEST-----\n' },
    ],
    CommandConnection: [
      {
        ...DATA_CONNECTION,
        options: {
          ...MQTT_OPTIONS,
          publishTopic: ['dock/1/responses'],
          subscribeTopic: ['dock/1/commands'],
        },
      },
    ],
    ConnectionTest: [
      {
        ok: true,
        steps: STEPS.map((step) => ({ step, result: 'ok', ms: 3, detail: 'as it should be' })),
      },
    ],
    CreateCertificateRequest: [{ ...CERTIFICATE, keyType: 'EC-P256', hosts: ['dock-1.example'] }],
    DataConnection: [DATA_CONNECTION],
    DeleteCertificate: [CERTIFICATE],
    DirectionEvent: [
      {
        data: {
          eventNum: 44,
          idHex: ID,
          event: 'TIMED_OUT',
          zone: 'ZONE4',
          direction: 'IN',
          reads: 17,
          firstSeen: TIME,
          lastSeen: TIME,
        },
        timestamp: TIME,
        type: 'DIRECTIONALITY',
      },
    ],
    Error: [{ code: 1, message: 'type: is required' }],
    ExplainedMode: [
      {
        type: 'SIMPLE',
        linkProfile: 'M4-320',
        reportFilter: 'each tag once',
        antennas: [
          {
            antenna,
            port: Number(ports[0]),
            beam: 0,
            powerDbm: 27,
            session: 'S1',
            target: 'A',
            sel: 'ALL',
            tagPopulation: 1,
            dwell: 'one round',
            selects: 0,
            access: [],
            tags: 100,
            roundMs: 250,
            selectsMs: 0,
            accessMsPerTag: 0,
            visitMs: 252,
            readsPerVisit: 100,
            share: 1,
            tagsPerSecond: 400,
          },
        ],
        cycleMs: 252,
        tagsPerSecond: 397,
        ceilingTagsPerSecond: 420,
      },
    ],
    GetMode: [{ verbose: true }],
    GetNetwork: [{ interface: networkInterface }],
    GetStandards: [{ region }],
    GpiStatus: [{ '1': 'HIGH', '2': 'LOW' }],
    GpoStatus: [{ '1': 'LOW' }],
    GpioLed: [GPIO_LED],
    HostName: [{ hostname: 'dock-1' }],
    HttpPostOptions: [{ URL: 'https://events.example/tags' }],
    InstallCertificate: [
      {
        ...CERTIFICATE,
        url: 'ftps://files.example/broker.pfx',
        authenticationType: 'BASIC',
        options: { username: 'reader', password: 'secret' },
        pfxPassword: 'secret',
      },
    ],
    LogConfig: [
      { radioPacketLog: false, components: [{ componentName: 'radio_control', level: 'DEBUG' }] },
    ],
    LogRequest: [{ logType: 'syslog' }],
    Login: [{ code: 0, message: 'eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmF0dXJl' }],
    ManagementEvent: [
      {
        component: 'RG',
        data: { message: 'the disk is full' },
        eventNum: 7,
        timestamp: TIME,
        type: 'warning',
      },
    ],
    ManagementEventConfig: [
      {
        errors: { cpu: { threshold: 90, reportIntervalInSec: 1800 }, antenna: true },
        gpiEvents: true,
        gpoEvents: true,
        userappEvents: true,
      },
    ],
    MqttOptions: [MQTT_OPTIONS],
    NameAndDescription: [{ name: 'Dock 1', description: 'The gate on the north side' }],
    Network: [
      {
        hostName: 'dock-1',
        ...addresses,
        dhcp: 'false',
        macAddress: '02:00:5E:10:00:01',
      },
    ],
    NtpServer: [{ server: 'time.example' }],
    OperatingMode: [mode],
    OsUpdate: [FETCH],
    OverflowEvent: [
      {
        data: { eventNum: 90, firstEventNum: 81, lastEventNum: 90, lost: 10 },
        timestamp: TIME,
        type: 'OVERFLOW',
      },
    ],
    RawDirectionEvent: [
      {
        data: { eventNum: 45, idHex: ID, azimuth: 75, elevation: 30, antenna: 11, peakRssi: -55 },
        timestamp: TIME,
        type: 'RAW_DIRECTIONALITY',
      },
    ],
    ...(facts === undefined ? {} : { ReaderCapabilities: [facts.capabilities] }),
    ReaderConfiguration: [
      {
        'GPIO-LED': GPIO_LED,
        'READER-GATEWAY': {
          retention: RETENTION,
          endpointConfig: { data: { event: { connections: [DATA_CONNECTION] } } },
        },
      },
    ],
    RebootAnswer: ['The reader reboots now'],
    RefreshCertificate: [CERTIFICATE],
    Regulatory: [
      {
        region,
        regulatoryStandard: 'UNDEFINED',
        lbtEnabled: 'false',
        channelData: [865_700, 866_300],
        minTxPowerSupported: 100,
        maxTxPowerSupported: 300,
      },
    ],
    Retention: [RETENTION],
    SetAppLed: [{ color: 'red', seconds: 5, flash: true }],
    SetCableLosses: [CABLE, { [ports[0] ?? '1']: CABLE }],
    SetGpo: [{ port: 1, state: true }],
    SetNetwork: [
      { hostName: 'dock-1', dhcp: false, macAdress: '02:00:5E:10:00:01', ...addresses },
      { hostName: 'dock-1', dhcp: true },
    ],
    SetRegulatory: [{ region }],
    Start: [{ doNotPersistState: true }],
    Statistics: [
      {
        uptime: '3 days 04:05:06',
        systemTime: '2024-05-06T07:08:09+00:00',
        ram: SPACE,
        flash: { rootFileSystem: SPACE, platform: SPACE, readerConfig: SPACE, readerData: SPACE },
        cpu: { user: '3', system: '5' },
        radioConnection: 'connected',
        antennas: byPort('connected'),
        temperature: 41,
        radioActivitiy: 'active',
        radioActivity: 'active',
        powerSource: 'DC',
        powerNegotiation: 'NOT_APPLICABLE',
        ntp: { offset: -0.4, reach: 377 },
        interfaceConnectionStatus: { data: [CONNECTION], control: [], management: [] },
        tagReads: {
          reads: 120,
          reported: 118,
          filtered: 2,
          dropped: 0,
          idFiltered: 0,
          tooWeak: 0,
          heldBack: 0,
          accessFailed: 0,
          uniqueTags: 60,
          missed: 0,
        },
      },
    ],
    StreamClosed: [{ data: { reason: 'the reader is stopping' }, timestamp: TIME, type: 'CLOSED' }],
    GetCountries: [{ region }],
    SupportedCountries: [
      { SupportedCountries: [{ country: 'DE', name: 'Germany', regions: ['etsi-lower'] }] },
    ],
    SupportedTimeZones: [
      {
        SupportedTimeZones: [
          {
            name: '(GMT+09:00) Osaka, Sapporo, Tokyo',
            zone: 'Asia/Tokyo',
            places: [{ name: 'Tokyo', zone: 'Asia/Tokyo' }],
          },
        ],
      },
    ],
    SupportedRegions: [{ SupportedRegions: [region] }],
    SupportedStandards: [
      {
        SupportedStandards: [
          {
            StandardName: 'UNDEFINED',
            isLBTConfigurable: 'false',
            channelData: [865_700, 866_300],
            isHoppingConfigurable: 'false',
          },
        ],
      },
    ],
    TagEvent: [
      {
        data: { eventNum: 42, format: 'epc', idHex: ID, antenna, peakRssi: -51, reads: 17 },
        timestamp: TIME,
        type: 'INVENTORY',
      },
    ],
    TcpServerOptions: [{ tcpipport: '5084', enableSecurity: false }],
    SetTimeZone: [{ timeZone: 'Coordinated Universal Time' }],
    TimeZone: [{ timeZone: 'Coordinated Universal Time' }],
    UpgradeStatus: [
      {
        status: 'downloading',
        imageDownloadProgress: 40,
        overallUpdateProgress: 10,
        updateProgressDetails: PROGRESS,
      },
    ],
    UserAppAutostart: [{ appname: 'counter', autostart: true }],
    UserAppCommand: [{ appname: 'counter', userapp: 'counter', command: 'reset' }],
    UserAppEvent: [
      {
        data: { appname: 'counter', event: { seen: 5 }, eventNum: 46 },
        timestamp: TIME,
        type: 'USERAPP',
      },
    ],
    UserAppInstall: [{ ...FETCH, filename: 'counter-1.0.0.tar.gz' }],
    UserAppName: [{ appname: 'counter' }],
    UserAppResponse: [{ response: 'done' }],
    UserApps: [
      [
        {
          appname: 'counter',
          autostart: true,
          metadata: 'counter 1.0.0',
          runningStatus: true,
          state: 'running',
          version: '1.0.0',
          user: 'app-counter',
          limits: '64 MB',
          protection: 'no capabilities, processes and a /tmp of its own, fewer system calls',
          restarts: 0,
          lastEnd: '',
          connected: true,
          lostEvents: 0,
        },
      ],
    ],
    Version: [
      {
        readerApplication: '1.4.0',
        radioFirmware: '2.1',
        radioControlApplication: '1.4.0',
        cloudAgentApplication: '1.4.0',
        readerOS: 'Debian GNU/Linux 12',
        readerHardware: 'fixed reader',
        readerBootLoader: '',
        readerFileSystem: '',
        radioApi: 'singulate.radio.v1',
        availableOsUpgrades: {},
        model: 'fixed-8',
        serialNumber: '4711',
        revertBackFirmware: {
          readerApplication: '1.3.9',
          readerBootLoader: '',
          readerFileSystem: '',
          readerOS: '',
        },
      },
    ],
    WebSocketOptions: [{ security: { verifyPeer: false, verifyHost: false } }],
    CloudConfig: [{ endpointConfig: { data: { event: { connections: [DATA_CONNECTION] } } } }],
    FactoryReset: [{ confirm: true }],
    FactoryResetAnswer: ['The reader resets and reboots now'],
    PassThrough: [{ component: 'RC', payload: 'version' }],
    ReaderSettings: [
      { formatVersion: 1, mode, nameAndDescription: { name: 'dock-1', description: 'left door' } },
    ],
    SendWaiting: [{}],
    PassThroughAnswer: [{ response: '{"version":"1.0.0"}' }],
    UpdatePassword: [
      { userName: 'admin', currentPassword: 'the old one', newPassword: 'a better one' },
    ],
  };
}
