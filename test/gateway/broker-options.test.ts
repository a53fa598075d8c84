/** What mqtt.js is told, where no broker on the loopback would tell the difference. */
import t from 'tap';
import { clientOptions } from '../../src/reader-gateway/mqtt/broker-link.js';
import { Certificates } from '../../src/reader-gateway/tls/certificates.js';
import { temporaryFolder } from './reader.js';

t.test('an IPv6 address has its brackets in the URL of a WebSocket, and only there', async (t) => {
  const certificates = new Certificates(temporaryFolder(t));
  const options = (endpoint: string) => clientOptions({ endpoint, publishTopic: [] }, certificates);
  t.match(await options('ws://[::1]:8080/mqtt'), {
    protocol: 'ws',
    hostname: '[::1]',
    port: 8080,
    path: '/mqtt',
  });
  t.match(await options('ws://broker.example'), { hostname: 'broker.example', port: 80 });
  const tcp = await options('tcp://[::1]');
  t.match(tcp, { host: '::1', port: 1883 });
  t.equal(tcp.hostname, undefined);
});

t.test('a session without end is asked for with MQTT 5 only', async (t) => {
  const certificates = new Certificates(temporaryFolder(t));
  const options = (additional: object) =>
    clientOptions({ endpoint: 'a', publishTopic: [], additional }, certificates);
  t.match(await options({ mqttVersion: '5', cleanSession: false, clientId: 'a' }), {
    protocolVersion: 5,
    clean: false,
    properties: { sessionExpiryInterval: 0xffff_ffff },
  });
  t.equal((await options({ mqttVersion: '5' })).properties, undefined);
  t.equal((await options({ cleanSession: false, clientId: 'a' })).properties, undefined);
});
