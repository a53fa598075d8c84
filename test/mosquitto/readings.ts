/** A reader that reads, with connections to a broker. */
import type { Test } from 'tap';
import { read } from '../gateway/fake-radio.js';
import { TestReader } from '../gateway/reader.js';
import type { Mosquitto } from './mosquitto.js';

export async function startReading(t: Test): Promise<TestReader> {
  const reader = await TestReader.start(t);
  t.teardown(() => reader.gateway.stop());
  await reader.call('PUT', 'start');
  return reader;
}

/** A connection to the port under test; its topic is test/NAME. */
export function mqttConnection(
  { port }: Pick<Mosquitto, 'port'>,
  name: string,
  options: object = {},
  additional: object = {},
) {
  return {
    type: 'mqtt',
    name,
    options: {
      endpoint: { hostName: '127.0.0.1', port },
      publishTopic: [`test/${name}`],
      ...options,
      additional: { reconnectDelay: 0.1, reconnectDelayMax: 0.2, ...additional },
    },
  };
}

/** Sets the data connections. */
export async function setData(reader: TestReader, ...connections: object[]): Promise<void> {
  await setEndpoints(reader, { data: { event: { connections } } });
}

export async function setEndpoints(reader: TestReader, endpointConfig: object): Promise<void> {
  const answer = await reader.call('PUT', 'config', { 'READER-GATEWAY': { endpointConfig } });
  if (answer.status !== 200) throw new Error(answer.text);
}

/** One event each, for `count` tags. */
export function readTags({ radio }: TestReader, count: number): void {
  for (let i = 0; i < count; i++) radio.send(read(i.toString(16).padStart(8, '0')));
}

/** 1, 2 ... count */
export function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i + 1);
}

/** Why a connection is not connected. */
export function errorOf(reader: TestReader, name: string): string {
  return reader.endpoints.find((endpoint) => endpoint.name === name)?.error ?? '';
}
