/** The data of a heartbeat: of all that is known, the fields that are asked for. Pure. */
import type { SpaceBytes } from '../../platform/memory.js';
import type { NtpFigures } from '../../platform/ntp-watch.js';
import type { HeartbeatFields } from '../api/management-events.js';
import type { EndpointStatus } from '../endpoint-status.js';
import type { Level } from '../io/lines.js';
import type { Flash } from '../system/hardware.js';

type ByPort<T> = Readonly<Record<string, T>>;
type Connected = 'connected' | 'disconnected';

/** Everything, by the keys of the interface. */
export interface HeartbeatFacts {
  radio_control: {
    antennas: ByPort<Connected>;
    cpu: number;
    numDataMessagesTxed: number;
    numErrors: number;
    numRadioPacketsRxed: number;
    numTagReads: number;
    numTagReadsPerAntenna: ByPort<number>;
    numWarnings: number;
    radioActivity: 'active' | 'inactive';
    radioConnection: Connected;
    ram: number;
    status: 'running' | 'stopped';
    uptime: string;
  };
  reader_gateway: {
    cpu: number;
    nolockqDepth: number;
    numErrors: number;
    numManagementEventsTxed: number;
    numWarnings: number;
    ram: number;
    uptime: string;
  };
  /** Where tag events go. */
  data: readonly EndpointStatus[];
  system: {
    GPI: ByPort<Level>;
    GPO: ByPort<Level>;
    cpu: { system: number; user: number };
    flash: Flash;
    hostname: string;
    macAddress: string;
    macaddress: string;
    ntp: NtpFigures;
    powerNegotiation: string;
    powerSource: string;
    ram: SpaceBytes;
    systemtime: string;
    temperature: { ambient: number; pa: number };
    uptime: string;
  };
  userapps: readonly UserAppFacts[];
}

export interface UserAppFacts {
  appname: string;
  cpu: number;
  incomingDataBufferPercentageRemaining: number;
  numDataMessagesRxed: number;
  numDataMessagesTxed: number;
  outgoingDataBufferPercentageRemaining: number;
  ram: number;
  status: string;
  uptime: string;
}

export function heartbeatData(fields: HeartbeatFields, facts: HeartbeatFacts): object {
  const { radio_control, reader_gateway, system, userapps, userDefined } = fields;
  return {
    ...(radio_control && {
      radio_control: {
        ...pick(facts.radio_control, radio_control),
        status: facts.radio_control.status,
      },
    }),
    ...(reader_gateway && {
      reader_gateway: {
        ...pick(facts.reader_gateway, reader_gateway),
        ...dataPaths(reader_gateway, facts.data),
      },
    }),
    ...(system && { system: pick(facts.system, system) }),
    ...(userapps && {
      userapps: facts.userapps.map((app) => ({ appname: app.appname, ...pick(app, userapps) })),
    }),
    ...(userDefined && { userDefined }),
  };
}

/** The fields that are not one key of the reader gateway: those of its connections. */
function dataPaths(names: readonly string[], data: readonly EndpointStatus[]): object {
  const statistics = data.map((one) => pick(pathFacts(one), names));
  const wantsStatistics = statistics.some((one) => Object.keys(one).length > 0);
  return {
    ...(wantsStatistics && { dataPathStatistics: statistics }),
    ...(names.includes('INTERFACE_CONNECTION_STATUS') && {
      interfaceConnectionStatus: {
        data: data.map(({ error, state, description, type }) => ({
          connectionError: error,
          connectionStatus: state,
          description,
          interface: type,
        })),
      },
    }),
    ...(names.includes('NUM_DATA_MESSAGES_RXED') && {
      // Every connection is offered every event.
      numDataMessagesRxedFromExt: Math.max(0, ...data.map(offered)),
    }),
  };
}

function pathFacts(one: EndpointStatus) {
  return {
    numDataMessagesDropped: one.dropped,
    numDataMessagesRetained: one.retained,
    numDataMessagesRetried: one.retried,
    numDataMessagesRxed: offered(one),
    numDataMessagesTxed: one.sent,
  };
}

function offered({ sent, retained, dropped }: EndpointStatus): number {
  return sent + retained + dropped;
}

function pick(facts: object, names: readonly string[]): object {
  const keys = new Set(names.map(keyOf));
  return Object.fromEntries(Object.entries(facts).filter(([key]) => keys.has(key)));
}

/** NUM_TAG_READS as numTagReads. */
function keyOf(name: string): string {
  if (name === 'GPI' || name === 'GPO') return name;
  return name.toLowerCase().replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
