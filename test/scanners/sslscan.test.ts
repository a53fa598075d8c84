/** Every door with TLS as sslscan sees it. */
import t from 'tap';
import { scan, startScanned } from './scanned-reader.js';

t.test('sslscan finds what is documented, and nothing else', async (t) => {
  const { doors } = await startScanned(t);
  for (const [door, address] of Object.entries(doors)) {
    const xml = await scan('sslscan', ['--xml=-', '--no-check-certificate', address]);
    const all = (element: string, attribute: string, where = '') =>
      [...xml.matchAll(new RegExp(`<${element} ([^>]*)/>`, 'g'))]
        .map((match) => match[1] as string)
        .filter((attributes) => attributes.includes(where))
        .map((attributes) => new RegExp(`${attribute}="([^"]*)"`).exec(attributes)?.[1]);
    t.strictSame(all('protocol', 'version', 'enabled="1"'), ['1.2', '1.3'], `${door}: versions`);
    t.strictSame(all('protocol', 'version', 'enabled="0"'), ['2', '3', '1.0', '1.1']);
    t.strictSame(
      [...new Set(all('group', 'name'))].sort(),
      ['secp256r1 (NIST P-256)', 'secp384r1 (NIST P-384)', 'x25519'],
      `${door}: key agreement`,
    );
    const ciphers = all('cipher', 'cipher');
    t.ok(ciphers.length >= 3, `${door}: ${ciphers}`);
    for (const cipher of ciphers) t.match(cipher, /^(TLS_|ECDHE-).*(GCM|POLY1305)/, door);
    t.strictSame([...new Set(all('heartbleed', 'vulnerable'))], ['0'], `${door}: Heartbleed`);
    t.strictSame(all('renegotiation', 'supported'), ['0'], `${door}: renegotiation`);
    t.strictSame(all('compression', 'supported', 'supported="1"'), [], `${door}: compression`);
  }
});
