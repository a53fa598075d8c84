import { counterToNumber } from '../../contract/time.js';
import { formatSystemTime, formatUptime } from '../../platform/clock.js';
import type { SpaceBytes } from '../../platform/memory.js';
import { NoPayload } from '../api/empty.js';
import { UpgradeStatus } from '../api/os-update.js';
import { type InterfaceStatus, Status } from '../api/status.js';
import type { EndpointStatus } from '../endpoint-status.js';
import { POWER } from '../system/hardware.js';
import { Accepted } from './accepted.js';
import type { Operation } from './operation.js';

export const getStatus: Operation = {
  name: 'getStatus',
  summary: 'Statistics of the reader; while an OS update runs, how far it is',
  method: 'GET',
  path: '/cloud/status',
  mqttCommand: 'get_status',
  channel: 'management',
  requestSchema: NoPayload,
  responseSchema: Status,
  acceptedSchema: UpgradeStatus,
  async run({
    radio,
    reading,
    machine,
    endpoints,
    platform,
    ntp,
    update,
  }): Promise<Status | Accepted> {
    if (update.status !== undefined) return new Accepted(update.status);
    const [radioStatus, antennas, load, ntpFigures] = await Promise.all([
      radio.recentStatus().catch(() => radio.lastStatus),
      radio.recentAntennas().catch(() => []),
      machine.load(),
      platform.ntp.figures().catch(() => undefined),
    ]);
    const radioConnection = radio.isConnected ? 'connected' : 'disconnected';
    const { activity } = radio;
    const counters = radioStatus?.counters;
    return {
      uptime: formatUptime(platform.power.uptimeSeconds()),
      systemTime: formatSystemTime(Date.now()),
      ram: digits(load.memory),
      flash: {
        rootFileSystem: digits(load.flash.rootFileSystem),
        platform: digits(load.flash.platform),
        readerConfig: digits(load.flash.readerConfig),
        readerData: digits(load.flash.readerData),
      },
      cpu: { user: String(load.cpu.user), system: String(load.cpu.system) },
      radioConnection,
      antennas: antennaStates(antennas, radioConnection, radioStatus?.antennas ?? []),
      // Without a sensor of the machine, that of the radio module.
      temperature: load.temperature || (radioStatus?.temperatureCelsius ?? 0),
      radioActivitiy: activity,
      radioActivity: activity,
      ...POWER,
      ntp: ntpFigures ?? ntp.read(),
      interfaceConnectionStatus: {
        data: connections(endpoints(), 'data'),
        control: connections(endpoints(), 'control'),
        management: [
          ...connections(endpoints(), 'management'),
          ...connections(endpoints(), 'managementEvent'),
        ],
      },
      tagReads: {
        reads: counterToNumber(counters?.reads),
        reported: counterToNumber(counters?.reported),
        filtered: counterToNumber(counters?.filtered),
        dropped: counterToNumber(counters?.dropped),
        idFiltered: counterToNumber(counters?.idFiltered),
        tooWeak: counterToNumber(counters?.tooWeak),
        heldBack: counterToNumber(counters?.heldBack),
        accessFailed: counterToNumber(counters?.accessFailed),
        uniqueTags: counterToNumber(counters?.uniqueTags),
        missed: reading.missed,
      },
      ...(update.last === undefined ? {} : { lastOsUpdate: update.last }),
    };
  },
};

type Connection = 'connected' | 'disconnected';

/** An antenna is there if the radio is, and has not found its port without one. */
function antennaStates(
  ports: readonly number[],
  radio: Connection,
  sensed: readonly { port?: number | null; connected?: boolean | null }[],
): Record<string, Connection> {
  const missing = new Set(sensed.filter(({ connected }) => !connected).map(({ port }) => port));
  return Object.fromEntries(
    ports.map((port) => [String(port), missing.has(port) ? 'disconnected' : radio]),
  );
}

function digits({ total, free, used }: SpaceBytes) {
  return { total: String(total), free: String(free), used: String(used) };
}

function connections(
  all: readonly EndpointStatus[],
  kind: EndpointStatus['interface'],
): InterfaceStatus[] {
  return all
    .filter((endpoint) => endpoint.interface === kind)
    .map(({ error, state, description, type, sent, retained, dropped, retried }) => ({
      connectionError: error,
      connectionStatus: state,
      description,
      interface: type,
      // Named as in the heartbeat's dataPathStatistics.
      numDataMessagesTxed: sent,
      numDataMessagesRetained: retained,
      numDataMessagesDropped: dropped,
      numDataMessagesRetried: retried,
    }));
}
