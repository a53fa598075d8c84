/** Step auth of MQTT: a CONNECT as the connection would send it, and a DISCONNECT. */
import { isIP } from 'node:net';
import type { IClientOptions } from 'mqtt';
import { errorMessage } from '../../shared/errors.js';
import { type Connection, isMqtt, type MqttOptions } from '../api/connection.js';
import type { Reach } from '../fetch/reach.js';
import { brokerKey } from '../mqtt/broker-address.js';
import { clientOptions } from '../mqtt/broker-link.js';
import { loadMqtt } from '../mqtt/load-mqtt.js';
import type { Certificates } from '../tls/certificates.js';
import { StepFailure } from './steps.js';
import { handshakeReason, isCertificateAlert } from './tls-reasons.js';

interface Around {
  certificates: Certificates;
  /** The connections of this reader: those that run are not pushed aside. */
  configured: readonly Connection[];
  reach: Reach;
}

export async function mqttLogin(
  options: MqttOptions,
  { certificates, configured, reach }: Around,
  signal: AbortSignal,
): Promise<string> {
  const [mqtt, given] = await Promise.all([
    loadMqtt(),
    clientOptions(quiet(options), certificates).then((all) => bound(all, reach)),
  ]);
  signal.throwIfAborted();
  const { clientId = '' } = options.additional ?? {};
  const isTaken = clientId !== '' && runsAs(clientId, options, configured);
  const used: IClientOptions = isTaken ? { ...given, clientId: `${clientId}-test` } : given;
  // A session that stays is only left where the connection has one.
  if (isTaken || clientId === '') {
    used.clean = true;
    delete used.properties;
  }
  const note = isTaken
    ? ` (as client "${clientId}-test": a connection of this reader runs as "${clientId}")`
    : '';
  const client = mqtt.connect(used);
  signal.addEventListener('abort', () => client.end(true));
  await new Promise<void>((resolve, reject) => {
    let failure: Error | undefined;
    client.on('connect', () => resolve());
    client.on('error', (error) => {
      failure ??= error;
    });
    client.on('close', () => {
      reject(loginFailure(failure, given.cert !== undefined, note));
    });
  });
  await client.endAsync();
  const user = given.username;
  const who = user === undefined ? 'without a user name' : `as user "${user}"`;
  return `the broker accepts the connection ${who}${note}`;
}

/** The name may lead elsewhere than a moment ago: the client gets an address, or a lookup that looks. */
async function bound(options: IClientOptions, reach: Reach): Promise<IClientOptions> {
  const { host = '', wsOptions } = options;
  const address = await reach.pinned(host);
  if (wsOptions !== undefined) return { ...options, wsOptions: { ...wsOptions, ...reach.lookup } };
  return { ...options, host: address, ...(isIP(host) === 0 ? { servername: host } : {}) };
}

/** Nobody but the broker may notice a test. */
function quiet(options: MqttOptions): MqttOptions {
  const { will: _will, birth: _birth, ...additional } = options.additional ?? {};
  return { ...options, additional };
}

function runsAs(
  clientId: string,
  options: MqttOptions,
  configured: readonly Connection[],
): boolean {
  const broker = brokerKey(options);
  return configured.some(
    (other) =>
      isMqtt(other) &&
      other.options.additional?.clientId === clientId &&
      brokerKey(other.options) === broker,
  );
}

function loginFailure(error: Error | undefined, hasOwn: boolean, note: string): StepFailure {
  if (error === undefined) {
    return new StepFailure(`the broker closed the connection without an answer${note}`);
  }
  if (isCertificateAlert(error)) return new StepFailure(handshakeReason(error, hasOwn), 'tls');
  return new StepFailure(`${errorMessage(error)}${note}`);
}
