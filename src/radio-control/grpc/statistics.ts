/** GetStatistics: who is connected, what is kept for whom, what was lost. */
import type { StatisticsInput } from '../../contract/messages.js';
import type { Control } from '../control/control.js';
import { type Inventory, serviceUse } from '../inventory.js';

/** The connections to this service. */
export interface Connections {
  clients: number;
  /** Calls that were refused, by their reason. */
  refused: Readonly<Record<string, number>>;
}

export function statisticsMessage(
  inventory: Inventory,
  control: Control,
  connections: Connections,
): StatisticsInput {
  const { streams, log, cutOff } = inventory.hub;
  const { lease, takeovers } = control;
  const holder =
    lease === undefined
      ? {}
      : { control: { owner: lease.owner, expiresNs: lease.expiresMs * 1e6, takeovers } };
  return {
    counters: inventory.counters(),
    subscribers: streams.map(({ statistics }) => statistics),
    readLog: {
      logId: log.id,
      oldestSequence: log.oldestSequence,
      nextSequence: log.nextSequence,
      bytes: log.bytes,
      cutOff,
    },
    ...holder,
    service: serviceUse(),
    connections: { clients: connections.clients, refused: { ...connections.refused } },
  };
}
