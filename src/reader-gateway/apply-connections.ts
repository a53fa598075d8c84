/** Hands the connections of the configuration to those that keep them. */
import type { Logger } from '../shared/log.js';
import { isMqtt } from './api/connection.js';
import type { EventEndpoints } from './delivery/event-endpoints.js';
import type { CommandConnectionConfig, CommandConnections } from './mqtt/command-connections.js';
import type { ConfigStore } from './state/config-store.js';
import { connectionFaults } from './state/stored-config.js';

export interface Connected {
  data: EventEndpoints;
  management: EventEndpoints;
  commands: CommandConnections;
}

/** What a configuration of an older version has that would be refused today: once, at the start. */
export function reportFaults(config: ConfigStore, log: Logger): void {
  for (const { field, message } of config.changedByLoad) {
    log.warn(`config.json: ${field}: ${message}`);
  }
  for (const fault of connectionFaults((path) => config.connections(path)).values()) {
    log.error(`config.json has a connection that cannot work as it is set: ${fault}`);
  }
}

export function applyConnections(config: ConfigStore, to: Connected): void {
  const { batching, retention } = config.stored['READER-GATEWAY'] ?? {};
  const faults = connectionFaults((path) => config.connections(path));
  to.data.apply(config.connections(['data', 'event']), batching, retention, faults);
  to.management.apply(config.connections(['management', 'event']), batching, retention, faults);
  to.commands.apply(
    (['control', 'management'] as const).flatMap((kind) =>
      config
        .connections([kind, 'commandResponse'])
        .filter(isMqtt)
        .map((connection, index): CommandConnectionConfig => {
          const name = connection.name ?? `#${index + 1}`;
          return { interface: kind, name, connection, fault: faults.get(connection) ?? '' };
        }),
    ),
  );
}
