/** What the tests of testConnection share. */
import type { AddressInfo, Server } from 'node:net';
import type { Test } from 'tap';
import type { ConnectionTest, StepName } from '../../src/reader-gateway/api/connection-test.js';
import type { TestReader } from './reader.js';

/** @throws with the error of the reader. */
export async function tryOut(reader: TestReader, connection: object): Promise<ConnectionTest> {
  const answer = await reader.call('POST', 'testConnection', connection);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.json;
}

export function resultsOf({ steps }: ConnectionTest): Record<string, string> {
  return Object.fromEntries(steps.map(({ step, result }) => [step, result]));
}

export function detailOf({ steps }: ConnectionTest, name: StepName): string {
  return steps.find(({ step }) => step === name)?.detail ?? '';
}

/** @returns Its port. */
export async function listen(t: Test, server: Server, host = '127.0.0.1'): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  t.teardown(() => {
    server.close();
    (server as { closeAllConnections?: () => void }).closeAllConnections?.();
  });
  return (server.address() as AddressInfo).port;
}

export function mqttTo(url: string, options: object = {}, more: object = {}) {
  return { type: 'mqtt', options: { endpoint: url, publishTopic: ['a'], ...options }, ...more };
}

export function postTo(url: string, security: object = {}) {
  return { type: 'httpPost', options: { URL: url, security } };
}
