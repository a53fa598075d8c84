/** The transport of a connection. */
import type { Clock } from '../../../shared/clock.js';
import type { Logger } from '../../../shared/log.js';
import { type Connection, isMqtt } from '../../api/connection.js';
import type { Certificates } from '../../tls/certificates.js';
import type { Transport } from '../transport.js';
import { HttpPostTransport } from './http-post.js';
import { MqttTransport } from './mqtt.js';
import { TcpServerTransport } from './tcp-server.js';
import { type WebSocketTaker, WebSocketTransport } from './websocket.js';

/** What transports need of the gateway. */
export interface TransportNeeds {
  certificates: Certificates;
  /** Hands out the clients of /ws. */
  webSockets: WebSocketTaker;
  clock: Clock;
  log: Logger;
}

export function createTransport(
  connection: Connection,
  { certificates, webSockets, clock, log }: TransportNeeds,
): Transport {
  if (isMqtt(connection)) return new MqttTransport(connection.options, certificates, log);
  switch (connection.type) {
    case 'httpPost':
      return new HttpPostTransport(connection.options, certificates, clock);
    case 'tcpip-server':
      return new TcpServerTransport(connection.options, certificates, clock);
    case 'WEBSOCKET':
      return new WebSocketTransport(webSockets, clock);
  }
}
