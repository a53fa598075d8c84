/** The connections of a reader that was never told any: those to the broker it brings along. */
import type { EndpointConfig } from '../api/config.js';

const NAME = 'embedded broker';

/** @param localBroker `mqtt://127.0.0.1:1883`; undefined = no broker, no connections. */
export function factoryEndpoints(localBroker: URL | undefined): EndpointConfig {
  const at = (publishTopic: string, subscribeTopic?: string) =>
    localBroker === undefined
      ? { connections: [] }
      : { connections: [connection(localBroker, publishTopic, subscribeTopic)] };
  return {
    data: { event: at('singulate/d-evt') },
    control: { commandResponse: at('singulate/c-res', 'singulate/c-req') },
    management: {
      commandResponse: at('singulate/m-res', 'singulate/m-req'),
      event: at('singulate/m-evt'),
    },
  } as EndpointConfig;
}

function connection(broker: URL, publishTopic: string, subscribeTopic: string | undefined) {
  return {
    type: 'mqtt' as const,
    name: NAME,
    description: 'MQTT broker on this reader',
    options: {
      endpoint: {
        // URL keeps the brackets of an IPv6 address; a host name has none.
        hostName: broker.hostname.replace(/^\[|\]$/g, ''),
        port: broker.port === '' ? 1883 : Number(broker.port),
        protocol: 'tcp' as const,
      },
      enableSecurity: false,
      additional: { qos: 0 as const },
      publishTopic: [publishTopic],
      ...(subscribeTopic === undefined ? {} : { subscribeTopic: [subscribeTopic] }),
    },
  };
}
