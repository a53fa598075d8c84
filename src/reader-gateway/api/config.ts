/** Reader configuration (GET and PUT /cloud/config, get_config, set_config). */
import { Batching, CommandConnection, DataConnection, Retention } from './connection.js';
import { takesEffect } from './effects.js';
import { GpioLed } from './gpio-led.js';
import { ManagementEventConfig } from './management-events.js';
import { orNull, type Static, type TSchema, Type } from './schema.js';

/** Most data connections a reader may have. */
export const MAX_DATA_ENDPOINTS = 8;
const MAX_MANAGEMENT_ENDPOINTS = 4;

/** Characters. Most texts of that length fit, as JSON, into a request of 1 MB. */
export const MAX_XML_LENGTH = 400_000;

const connections = (item: TSchema, maxItems: number) =>
  Type.Optional(
    orNull(Type.Object({ connections: Type.Optional(orNull(Type.Array(item, { maxItems }))) })),
  );

export const EndpointConfig = Type.Object(
  {
    data: Type.Optional(
      orNull(Type.Object({ event: connections(DataConnection, MAX_DATA_ENDPOINTS) })),
    ),
    control: Type.Optional(
      orNull(Type.Object({ commandResponse: connections(CommandConnection, 4) })),
    ),
    management: Type.Optional(
      orNull(
        Type.Object({
          commandResponse: connections(CommandConnection, 4),
          event: connections(DataConnection, MAX_MANAGEMENT_ENDPOINTS),
        }),
      ),
    ),
  },
  {
    description:
      'A path that is not given keeps its connections; null gives it those that the reader came with',
    ...takesEffect('reconnects'),
  },
);
export type EndpointConfig = Static<typeof EndpointConfig>;

export const ReaderGatewayConfig = Type.Object({
  retention: Type.Optional(
    orNull(Type.Unsafe<Retention>({ ...Retention, ...takesEffect('reconnects') })),
  ),
  batching: Type.Optional(
    orNull(Type.Unsafe<Batching>({ ...Batching, ...takesEffect('reconnects') })),
  ),
  managementEventConfig: Type.Optional(
    orNull(
      Type.Unsafe<ManagementEventConfig>({ ...ManagementEventConfig, ...takesEffect('at-once') }),
    ),
  ),
  endpointConfig: Type.Optional(orNull(EndpointConfig)),
});
export type ReaderGatewayConfig = Static<typeof ReaderGatewayConfig>;

export const ReaderConfig = Type.Object(
  {
    xml: Type.Optional(
      orNull(
        Type.String({
          maxLength: MAX_XML_LENGTH,
          default: '',
          description: 'XML configuration; stored as it is',
          ...takesEffect('stored'),
        }),
      ),
    ),
    'GPIO-LED': Type.Optional(
      orNull(Type.Unsafe<GpioLed>({ ...GpioLed, ...takesEffect('at-once') })),
    ),
    'READER-GATEWAY': Type.Optional(orNull(ReaderGatewayConfig)),
  },
  {
    description:
      'Reader configuration; a change may carry any subset. null takes a part back: what holds without it holds again',
  },
);
export type ReaderConfig = Static<typeof ReaderConfig>;
