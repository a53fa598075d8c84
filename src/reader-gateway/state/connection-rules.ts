/** What a list of connections must keep beyond its schema. Pure. */
import type { Violation } from '../../shared/errors.js';
import { type Connection, isMqtt } from '../api/connection.js';
import { joinPath, show } from '../api/validate.js';
import { brokerAddress } from '../mqtt/broker-address.js';
import { httpProblems } from './http-rules.js';
import { mqttProblems } from './mqtt-rules.js';
import { sizeProblems } from './size-rules.js';

/**
 * @param path Of the list, in messages.
 * @param own What each of them must keep by itself.
 */
export function connectionProblems(
  connections: readonly Connection[],
  path: string,
  own: (connection: Connection, field: string) => Violation[] = ownProblems,
): Violation[] {
  return connections.flatMap((connection, index) => {
    const field = `${path}[${index}]`;
    const earlier = connections.slice(0, index);
    return [...uniqueProblems(connection, earlier, field), ...own(connection, field)];
  });
}

function uniqueProblems(
  connection: Connection,
  earlier: readonly Connection[],
  field: string,
): Violation[] {
  const problems: Violation[] = [];
  const { name } = connection;
  if (name !== undefined && earlier.some((other) => other.name === name)) {
    problems.push({ field: `${field}.name`, message: `${show(name)} is used twice` });
  }
  const { type } = connection;
  if (type === 'WEBSOCKET' && earlier.some((other) => other.type === type)) {
    const message = 'only one connection may be a WEBSOCKET: all its clients come to /ws';
    problems.push({ field: `${field}.type`, message });
  }
  if (connection.type === 'tcpip-server') {
    const port = listensAt(connection);
    if (earlier.some((other) => listensAt(other) === port)) {
      const message = `${show(connection.options.tcpipport)} is used twice`;
      problems.push({ field: `${field}.options.tcpipport`, message });
    }
  }
  return problems;
}

/**
 * What the connections of two paths must keep together.
 * @param path Of the later ones, in messages; those of the other path are named by `earlierPath`.
 */
export function sharedProblems(
  earlier: readonly Connection[],
  earlierPath: string,
  later: readonly Connection[],
  path: string,
): Violation[] {
  return later.flatMap((connection, index) => {
    const port = listensAt(connection);
    const taken = port === undefined ? -1 : earlier.findIndex((one) => listensAt(one) === port);
    if (taken < 0) return [];
    const message = `${port} is the port of ${earlierPath}[${taken}]`;
    return [{ field: `${path}[${index}].options.tcpipport`, message }];
  });
}

function listensAt(connection: Connection): number | undefined {
  return connection.type === 'tcpip-server' ? Number(connection.options.tcpipport) : undefined;
}

/** What a connection must keep whatever others there are. @param field Its path in messages. */
export function ownProblems(connection: Connection, field: string): Violation[] {
  const options = joinPath(field, 'options');
  return [
    ...addressProblems(connection, field),
    ...(isMqtt(connection) ? mqttProblems(connection, options) : []),
    ...(connection.type === 'httpPost' ? httpProblems(connection.options, options) : []),
    ...sizeProblems(connection.additionalOptions ?? {}, joinPath(field, 'additionalOptions')),
  ];
}

/** Without an address there is nothing to connect to, or to listen at. */
export function addressProblems(connection: Connection, field: string): Violation[] {
  const options = joinPath(field, 'options');
  if (isMqtt(connection)) {
    const { endpoint } = connection.options;
    const address = brokerAddress(connection.options);
    if (address === undefined) {
      return [{ field: `${options}.endpoint.hostName`, message: 'is required' }];
    }
    if (isPort(address.port)) return [];
    const message = `${show(endpoint)} has a port that is not one of 1 to 65535`;
    return [{ field: `${options}.endpoint`, message }];
  }
  if (connection.type === 'httpPost') {
    const { URL: url } = connection.options;
    if (!URL.canParse(url)) {
      return [{ field: `${options}.URL`, message: `${show(url)} is not an http(s) URL` }];
    }
    if (new URL(url).port !== '0') return [];
    const message = `${show(url)} has a port that is not one of 1 to 65535`;
    return [{ field: `${options}.URL`, message }];
  }
  if (connection.type === 'tcpip-server') {
    const { tcpipport } = connection.options;
    if (isPort(Number(tcpipport))) return [];
    const message = `${show(tcpipport)} is not a port of 1 to 65535`;
    return [{ field: `${options}.tcpipport`, message }];
  }
  return [];
}

function isPort(port: number): boolean {
  return port >= 1 && port <= 65535;
}
