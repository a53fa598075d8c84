/** Where a broker is, in whichever of the accepted forms it was given. */
import type { MqttEndpoint, MqttOptions } from '../api/connection.js';
import { type UrlLogin, urlLogin } from '../tls/url-login.js';

/** As mqtt.js names them. */
export type BrokerProtocol = 'mqtt' | 'mqtts' | 'ws' | 'wss';

export interface BrokerAddress {
  protocol: BrokerProtocol;
  host: string;
  port: number;
  /** Of a WebSocket, with its query; empty if none was given. */
  path: string;
  secure: boolean;
  /** From `mqtt://user:password@host`. */
  login?: UrlLogin;
}

const DEFAULT_PORTS: Record<BrokerProtocol, number> = {
  mqtt: 1883,
  mqtts: 8883,
  ws: 80,
  wss: 443,
};

type Given = MqttEndpoint & Partial<Pick<BrokerAddress, 'path' | 'login'>>;

/** This machine by its usual names. */
const LOOPBACK = /^(localhost|127(\.\d+){3}|::1)$/;

/** One text for each broker, whatever the protocol: two connections with the same meet there. */
export function brokerKey(options: Pick<MqttOptions, 'endpoint' | 'enableSecurity'>): string {
  const { host = '', port = 0 } = brokerAddress(options) ?? {};
  const name = host.toLowerCase().replace(/\.$/, '');
  return `${LOOPBACK.test(name) ? 'localhost' : name}:${port}`;
}

/** @returns undefined if no host is named. */
export function brokerAddress({
  endpoint,
  enableSecurity,
}: Pick<MqttOptions, 'endpoint' | 'enableSecurity'>): BrokerAddress | undefined {
  const given: Given | undefined = typeof endpoint === 'string' ? parse(endpoint) : endpoint;
  const host = given?.hostName ?? given?.hostname;
  if (given === undefined || host === undefined) return undefined;
  const protocol = protocolOf(given, enableSecurity ?? false);
  return {
    protocol,
    // As in a URL or without brackets: both are written for an IPv6 address.
    host: host.replace(/^\[(.*)\]$/, '$1'),
    port: given.port ?? DEFAULT_PORTS[protocol],
    path: given.path ?? '',
    secure: protocol === 'mqtts' || protocol === 'wss',
    ...(given.login === undefined ? {} : { login: given.login }),
  };
}

/** `ssl://broker.example:8883`, `broker.example` and so on. */
function parse(text: string): Given | undefined {
  const found = /^(?:(tcp|mqtt|ssl|mqtts|ws|wss):\/\/)?(.+)$/i.exec(text);
  const scheme = found?.[1]?.toLowerCase();
  // With a scheme that URL knows how to take apart, brackets of IPv6 included.
  const url = `ws://${found?.[2] ?? ''}`;
  if (!URL.canParse(url)) return undefined;
  const parsed = new URL(url);
  const { hostname, port, pathname, search } = parsed;
  const login = urlLogin(parsed);
  const path = `${pathname === '/' && search === '' ? '' : pathname}${search}`;
  const protocol = scheme === 'mqtt' ? 'tcp' : scheme === 'mqtts' ? 'ssl' : scheme;
  // URL leaves out port 80, the default of its own scheme.
  const named = /:(\d+)(\/|$)/.exec(found?.[2]?.replace(/^\[.*\]/, '') ?? '');
  return {
    hostName: hostname,
    ...(port !== '' ? { port: Number(port) } : named ? { port: Number(named[1]) } : {}),
    ...(protocol === undefined ? {} : { protocol: protocol as Given['protocol'] & string }),
    ...(path === '' ? {} : { path }),
    ...(login === undefined ? {} : { login }),
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
