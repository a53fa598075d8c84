/** What a list of connections must keep beyond its schema. Pure. */
import type { Violation } from '../../shared/errors.js';
import { type Connection, isMqtt, type MqttConnection } from '../api/connection.js';
import { joinPath, show } from '../api/validate.js';
import { brokerAddress } from '../mqtt/broker-address.js';

/** @param path Of the list, in messages. */
export function connectionProblems(connections: readonly Connection[], path: string): Violation[] {
  return connections.flatMap((connection, index) => {
    const field = `${path}[${index}]`;
    const earlier = connections.slice(0, index);
    return [...uniqueProblems(connection, earlier, field), ...ownProblems(connection, field)];
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
  const optionsField = joinPath(field, 'options');
  if (isMqtt(connection)) return mqttProblems(connection, optionsField);
  if (connection.type === 'httpPost') {
    const { URL: url, security = {} } = connection.options;
    const problems: Violation[] = [];
    if (!URL.canParse(url)) {
      const message = `${show(url)} is not an http(s) URL`;
      problems.push({ field: `${optionsField}.URL`, message });
    }
    const token = security.authenticationOptions?.token;
    if (security.authenticationType === 'BEARER' && token === undefined) {
      problems.push({
        field: `${optionsField}.security.authenticationOptions.token`,
        message: 'is required with authenticationType BEARER',
      });
    }
    return problems;
  }
  if (connection.type === 'tcpip-server' && Number(connection.options.tcpipport) > 65535) {
    const message = `${show(connection.options.tcpipport)} is not a port of 1 to 65535`;
    return [{ field: `${optionsField}.tcpipport`, message }];
  }
  return [];
}

/** The brokers of the clouds are MQTT brokers that lack some of MQTT. */
function mqttProblems({ type, options }: MqttConnection, field: string): Violation[] {
  const problems: Violation[] = [];
  const address = brokerAddress(options);
  if (address === undefined) {
    problems.push({ field: `${field}.endpoint.hostName`, message: 'is required' });
  } else if (address.port < 1 || address.port > 65535) {
    const message = `${show(options.endpoint)} has a port that is not one of 1 to 65535`;
    problems.push({ field: `${field}.endpoint`, message });
  }
  if (type === 'mqtt') return problems;
  const { additional = {} } = options;
  if (additional.qos === 2) {
    const message = `2 is not one of 0, 1: brokers of ${type} have no QoS 2`;
    problems.push({ field: `${field}.additional.qos`, message });
  }
  if (type === 'mqtt-AZURE' && additional.retain === true) {
    const message = 'true is not allowed: brokers of mqtt-AZURE retain nothing';
    problems.push({ field: `${field}.additional.retain`, message });
  }
  return problems;
}
