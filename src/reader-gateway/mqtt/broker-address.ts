/** Where a broker is, in whichever of the accepted forms it was given. */
import type { MqttEndpoint, MqttOptions } from '../api/connection.js';

/** As mqtt.js names them. */
export type BrokerProtocol = 'mqtt' | 'mqtts' | 'ws' | 'wss';

export interface BrokerAddress {
  protocol: BrokerProtocol;
  host: string;
  port: number;
  /** Of a WebSocket; empty otherwise. */
  path: string;
  secure: boolean;
}

const DEFAULT_PORTS: Record<BrokerProtocol, number> = {
  mqtt: 1883,
  mqtts: 8883,
  ws: 80,
  wss: 443,
};

type Given = MqttEndpoint & { path?: string };

/** @returns undefined if no host is named. */
export function brokerAddress({
  endpoint,
  enableSecurity,
}: Pick<MqttOptions, 'endpoint' | 'enableSecurity'>): BrokerAddress | undefined {
  const given = typeof endpoint === 'string' ? parse(endpoint) : endpoint;
  const host = given?.hostName ?? given?.hostname;
  if (given === undefined || host === undefined) return undefined;
  const protocol = protocolOf(given, enableSecurity ?? false);
  return {
    protocol,
    host,
    port: given.port ?? DEFAULT_PORTS[protocol],
    path: (given as Given).path ?? '',
    secure: protocol === 'mqtts' || protocol === 'wss',
  };
}

/** `ssl://broker.example:8883`, `broker.example` and so on. */
function parse(text: string): Given | undefined {
  const found = /^(?:(tcp|mqtt|ssl|mqtts|ws|wss):\/\/)?(.+)$/i.exec(text);
  const scheme = found?.[1]?.toLowerCase();
  // With a scheme that URL knows how to take apart, brackets of IPv6 included.
  const url = `ws://${found?.[2] ?? ''}`;
  if (!URL.canParse(url)) return undefined;
  const { hostname, port, pathname } = new URL(url);
  const protocol = scheme === 'mqtt' ? 'tcp' : scheme === 'mqtts' ? 'ssl' : scheme;
  // URL leaves out port 80, the default of its own scheme.
  const named = /:(\d+)(\/|$)/.exec(found?.[2]?.replace(/^\[.*\]/, '') ?? '');
  return {
    hostName: hostname.replace(/^\[|\]$/g, ''),
    ...(port !== '' ? { port: Number(port) } : named ? { port: Number(named[1]) } : {}),
    ...(protocol === undefined ? {} : { protocol: protocol as Given['protocol'] & string }),
    ...(pathname === '/' ? {} : { path: pathname }),
  };
}

// enableSecurity is never overruled by a protocol without it: nothing goes out in the clear by mistake.
function protocolOf({ protocol }: MqttEndpoint, secure: boolean): BrokerProtocol {
  switch (protocol) {
    case 'ssl':
      return 'mqtts';
    case 'wss':
      return 'wss';
    case 'ws':
      return secure ? 'wss' : 'ws';
    default:
      return secure ? 'mqtts' : 'mqtt';
  }
}
