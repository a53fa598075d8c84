/** What the options of a connection to an MQTT broker must keep for it to work. Pure. */
import { isIPv6 } from 'node:net';
import type { Violation } from '../../shared/errors.js';
import type { MqttConnection, MqttOptions } from '../api/connection.js';
import { show } from '../api/validate.js';
import { brokerAddress } from '../mqtt/broker-address.js';
import {
  MAX_STRING_BYTES,
  stringProblem,
  topicFilterProblem,
  topicNameProblem,
} from '../mqtt/topics.js';
import { pairProblems } from './certificate-rules.js';

/** The longest name that DNS has. */
const MAX_HOST_NAME = 253;

/** @param field Of the options, in messages. */
export function mqttProblems({ type, options }: MqttConnection, field: string): Violation[] {
  const found = [
    ...brokerProblems(options),
    ...topicProblems(options),
    ...sessionProblems(options),
    ...(type === 'mqtt' ? [] : cloudProblems(type, options)),
  ];
  return found.map(([path, message]) => ({ field: `${field}.${path}`, message }));
}

/** A path below the options, and what is wrong there. */
type Problem = [path: string, message: string];

function brokerProblems(options: MqttOptions): Problem[] {
  const { endpoint, basicAuthentication, security } = options;
  const address = brokerAddress(options);
  // addressProblems() says so.
  if (address === undefined) return [];
  const problems: Problem[] = [];
  const hostField = typeof endpoint === 'string' ? 'endpoint' : 'endpoint.hostName';
  if (!isHost(address.host)) {
    problems.push([hostField, `${show(address.host)} is not a host name or an IP address`]);
  }
  if (typeof endpoint === 'object') {
    const { hostName, hostname } = endpoint;
    if (hostName !== undefined && hostname !== undefined && hostName !== hostname) {
      const message = `${show(hostname)} is not ${show(hostName)}, which hostName says`;
      problems.push(['endpoint.hostname', message]);
    }
  } else {
    const isWebSocket = address.protocol === 'ws' || address.protocol === 'wss';
    if (address.path !== '' && !isWebSocket) {
      problems.push(['endpoint', 'has a path, which only brokers of ws and wss have']);
    }
    if (endpoint.includes('#')) {
      problems.push(['endpoint', 'has a fragment (#), which no broker gets to see']);
    }
  }
  if (address.login !== undefined && basicAuthentication !== undefined) {
    problems.push(['basicAuthentication', 'is given, and a user name in endpoint as well']);
  }
  if (address.secure) problems.push(...pairProblems(security, 'security', security));
  return problems;
}

function isHost(host: string): boolean {
  if (isIPv6(host.replace(/%.*$/, ''))) return true;
  return host.length <= MAX_HOST_NAME && !/[\s:/@?#[\]\\\p{C}]/u.test(host);
}

function topicProblems({ publishTopic, subscribeTopic = [], additional = {} }: MqttOptions) {
  const { will, birth } = additional;
  const problems: Problem[] = [];
  const check = (path: string, topic: string, problem: string | undefined) => {
    if (problem === undefined) return;
    const given = problem.startsWith('must') ? '' : `${show(topic)} `;
    problems.push([path, `${given}${problem}`]);
  };
  if (publishTopic.length === 0) {
    problems.push(['publishTopic', 'needs at least 1 entry: nothing could be sent']);
  }
  publishTopic.forEach((topic, index) => {
    check(`publishTopic[${index}]`, topic, topicNameProblem(topic));
  });
  subscribeTopic.forEach((filter, index) => {
    check(`subscribeTopic[${index}]`, filter, topicFilterProblem(filter));
  });
  for (const [name, statement] of Object.entries({ will, birth })) {
    if (statement === undefined) continue;
    const { topic } = statement;
    check(`additional.${name}.topic`, topic, topicNameProblem(topic));
  }
  const bytes = Buffer.byteLength(will?.payload ?? '');
  if (bytes > MAX_STRING_BYTES) {
    const message = `has ${bytes} bytes, MQTT allows at most ${MAX_STRING_BYTES} in a will`;
    problems.push(['additional.will.payload', message]);
  }
  return problems;
}

function sessionProblems({ basicAuthentication, additional = {} }: MqttOptions): Problem[] {
  const { cleanSession = true, clientId = '' } = additional;
  const problems: Problem[] = [];
  if (!cleanSession && clientId === '') {
    const message = 'is required with cleanSession false: the broker keeps the session under it';
    problems.push(['additional.clientId', message]);
  }
  const texts: [string, string][] = [
    ['additional.clientId', clientId],
    ['basicAuthentication.username', basicAuthentication?.username ?? ''],
  ];
  for (const [path, text] of texts) {
    const problem = stringProblem(text);
    if (problem !== undefined) problems.push([path, problem]);
  }
  if (Buffer.byteLength(basicAuthentication?.password ?? '') > MAX_STRING_BYTES) {
    const message = `is longer than the ${MAX_STRING_BYTES} bytes that MQTT allows`;
    problems.push(['basicAuthentication.password', message]);
  }
  return problems;
}

/** The brokers of the clouds are MQTT brokers that lack some of MQTT. */
function cloudProblems(type: MqttConnection['type'], { additional = {} }: MqttOptions): Problem[] {
  const { will, birth, ...usual } = additional;
  const sent = Object.entries({
    additional: usual,
    'additional.will': will,
    'additional.birth': birth,
  });
  return sent.flatMap(([path, message]): Problem[] => [
    ...(message?.qos === 2
      ? ([[`${path}.qos`, `2 is not one of 0, 1: brokers of ${type} have no QoS 2`]] as Problem[])
      : []),
    ...(type === 'mqtt-AZURE' && message?.retain === true
      ? ([
          [`${path}.retain`, 'true is not allowed: brokers of mqtt-AZURE retain nothing'],
        ] as Problem[])
      : []),
  ]);
}
