/** What mqtt.js is told, where no broker on the loopback would tell the difference. */
import t from 'tap';
import { clientOptions } from '../../src/reader-gateway/mqtt/broker-link.js';
import { Certificates } from '../../src/reader-gateway/tls/certificates.js';
import { httpAuthorization } from '../../src/reader-gateway/tls/http-authorization.js';
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

t.test('an address gives its user name and password, and its query', async (t) => {
  const certificates = new Certificates(temporaryFolder(t));
  const options = (endpoint: string, more: object = {}) =>
    clientOptions({ endpoint, publishTopic: ['a'], ...more }, certificates);
  const login = { username: 'me', password: 'p@ss' };
  t.match(await options('mqtt://me:p%40ss@broker.example:1884'), {
    ...login,
    host: 'broker.example',
    port: 1884,
  });
  t.equal((await options('mqtt://broker.example')).username, undefined);
  t.match(await options('wss://broker.example/mqtt?key=a'), { path: '/mqtt?key=a' });
  t.match(await options('mqtt://broker.example', { basicAuthentication: login }), login);
  const post = (URL: string, authenticationType: 'NONE' | 'BEARER' = 'NONE') =>
    httpAuthorization({
      URL,
      security: { authenticationType, authenticationOptions: { token: 't' } },
    });
  const text = Buffer.from('me:p@ss').toString('base64');
  t.same(post('https://me:p%40ss@server.example/'), { authorization: `Basic ${text}` });
  t.same(post('https://server.example/'), {});
  t.same(post('https://server.example/', 'BEARER'), { authorization: 'Bearer t' });
});

t.test('an IPv6 address may stand in brackets', async (t) => {
  const certificates = new Certificates(temporaryFolder(t));
  const endpoint = { hostName: '[::1]', port: 1883 };
  t.match(await clientOptions({ endpoint, publishTopic: ['a'] }, certificates), { host: '::1' });
});
