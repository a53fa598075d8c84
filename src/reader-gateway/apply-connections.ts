/** Hands the connections of the configuration to those that keep them. */
import { isMqtt } from './api/connection.js';
import type { EventEndpoints } from './delivery/event-endpoints.js';
import type { CommandConnectionConfig, CommandConnections } from './mqtt/command-connections.js';
import type { ConfigStore } from './state/config-store.js';

export interface Connected {
  data: EventEndpoints;
  management: EventEndpoints;
  commands: CommandConnections;
}

export function applyConnections(config: ConfigStore, to: Connected): void {
  const { batching, retention } = config.stored['READER-GATEWAY'] ?? {};
  to.data.apply(config.connections(['data', 'event']), batching, retention);
  to.management.apply(config.connections(['management', 'event']), batching, retention);
  to.commands.apply(
    (['control', 'management'] as const).flatMap((kind) =>
      config
        .connections([kind, 'commandResponse'])
        .filter(isMqtt)
        .map((connection, index): CommandConnectionConfig => {
          return { interface: kind, name: connection.name ?? `#${index + 1}`, connection };
        }),
    ),
  );
}
