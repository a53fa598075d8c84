/** How the reader is: what clients that watch it ask for again and again. */
import { counterToNumber } from '../../contract/time.js';
import { formatSystemTime, formatUptime } from '../../platform/clock.js';
import type { InterfaceStatus, Status } from '../api/status.js';
import type { EndpointStatus } from '../endpoint-status.js';
import type { Visit } from '../mode/visits.js';
import { POWER } from '../system/hardware.js';
import type { OperationContext } from './operation.js';

/** @returns What holds now, but for what is costly to find out: the radio's counters, the machine's load. */
export async function readerStatus({
  radio,
  reading,
  machine,
  endpoints,
  platform,
  ntp,
  update,
}: OperationContext): Promise<Status> {
  const [radioStatus, antennas, load, ntpFigures] = await Promise.all([
    radio.recentStatus().catch(() => radio.lastStatus),
    radio.recentAntennas().catch(() => []),
    machine.load(),
    platform.ntp.figures().catch(() => undefined),
  ]);
  const radioConnection = radio.isConnected ? 'connected' : 'disconnected';
  const { activity } = radio;
  const destinations = endpoints();
  const counters = radioStatus?.counters;
  return {
    uptime: formatUptime(platform.power.uptimeSeconds()),
    systemTime: formatSystemTime(Date.now()),
    ram: load.ram,
    flash: load.flash,
    cpu: load.cpu,
    radioConnection,
    antennas: antennaStates(antennas, radioConnection, radioStatus?.antennas ?? []),
    // Without a sensor of the machine, that of the radio module.
    temperature: load.temperature || (radioStatus?.temperatureCelsius ?? 0),
    radioActivitiy: activity,
    radioActivity: activity,
    powerSource: POWER.powerSource,
    powerNegotiation: POWER.powerNegotiation,
    ntp: ntpFigures ?? ntp.read(),
    interfaceConnectionStatus: {
      data: connections(destinations, 'data'),
      control: connections(destinations, 'control'),
      management: [
        ...connections(destinations, 'management'),
        ...connections(destinations, 'managementEvent'),
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
    ...(radioStatus?.linkProfile ? { linkProfile: radioStatus.linkProfile } : {}),
    ...(update.last === undefined ? {} : { lastOsUpdate: update.last }),
  };
}

type Connection = 'connected' | 'disconnected';

/** An antenna, or a beam, is there if the radio is, and has not found its port without one. */
function antennaStates(
  antennas: readonly Visit[],
  radio: Connection,
  sensed: readonly { port?: number | null; connected?: boolean | null }[],
): Record<string, Connection> {
  const missing = new Set(sensed.filter(({ connected }) => !connected).map(({ port }) => port));
  return Object.fromEntries(
    antennas.map(({ number, port }) => [
      String(number),
      missing.has(port) ? 'disconnected' : radio,
    ]),
  );
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
