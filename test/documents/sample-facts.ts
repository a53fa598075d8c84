/** Readers of each model as the documents know them, and connections; the lint uses them as well. */
import type { Connection } from '../../src/reader-gateway/api/connection.js';
import type { ConfiguredConnections } from '../../src/reader-gateway/documents/asyncapi.js';
import { type ReaderFacts, readerFacts } from '../../src/reader-gateway/documents/reader-facts.js';
import type { OperationContext } from '../../src/reader-gateway/operations/operation.js';
import { loadModel } from '../../src/shared/reader-model/find-model.js';
import { FAKE_CAPABILITIES, FAKE_REGIONS } from '../gateway/fake-radio.js';

export async function sampleFacts(name: string): Promise<ReaderFacts> {
  const { ports, beams, rssiFilter } = loadModel(name);
  const antennas = Array.from({ length: ports }, (_, index) => index + 1);
  const radio = {
    ...FAKE_CAPABILITIES,
    antennas,
    beams: antennas.map(() => beams?.length ?? 0),
    hasRssiLimit: rssiFilter,
    linkProfileDetails: [],
    readerModel: name,
  };
  const context = {
    radio: {
      capabilities: async () => radio,
      regions: async () => ({ regions: FAKE_REGIONS, region: '', channelsKhz: [] }),
    },
    platform: { network: { read: async () => ({ eth0: {} }) }, leds: [] },
  };
  return (await readerFacts(context as unknown as OperationContext)) as ReaderFacts;
}

const mqtt = (name: string, more: object): Connection => ({
  type: 'mqtt',
  name,
  options: {
    endpoint: { hostName: 'broker.local', port: 8883, protocol: 'ssl' },
    basicAuthentication: { username: 'user of the broker', password: 'secret of the broker' },
    publishTopic: [`${name}/out`],
    ...more,
  },
});

/** More than one of each, on two brokers, one of them by its address. */
export const SAMPLE_CONNECTIONS: ConfiguredConnections = {
  data: [
    mqtt('tags', { publishTopic: ['tags/one', 'tags/two'] }),
    mqtt('more tags', { endpoint: 'ws://[2001:db8::7]:8080/mqtt', basicAuthentication: undefined }),
    { type: 'httpPost', name: 'post', options: { URL: 'https://events.local/tags?key=secret' } },
  ],
  control: [mqtt('control', { subscribeTopic: ['control/in', 'control/also'] })],
  management: [
    mqtt('management', { subscribeTopic: ['management/in'] }),
    mqtt('other', { subscribeTopic: ['other/in'] }),
  ],
  managementEvents: [mqtt('health', {})],
};
