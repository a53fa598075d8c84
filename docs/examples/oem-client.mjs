// Starts an inventory and prints tags, through gRPC alone. Needs the proto file and two packages:
//   npm install @grpc/grpc-js @grpc/proto-loader
//   node oem-client.mjs unix:/path/to/radio.sock
import { fileURLToPath } from 'node:url';
import { credentials, loadPackageDefinition } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';

const target = process.argv[2] ?? 'unix:.singulate/radio.sock';
const proto = fileURLToPath(new URL('../../proto/singulate/radio/v1/radio.proto', import.meta.url));
const { singulate } = loadPackageDefinition(loadSync(proto, { enums: String, longs: String }));
const radio = new singulate.radio.v1.Radio(target, credentials.createInsecure());

// Listen first, so that no read is missed; then start every antenna with its defaults.
const reads = radio.streamReads({});
reads.on('data', ({ reads: batch }) => {
  for (const { epc, antenna, rssiCdbm, seenCount } of batch) {
    const rssi = (rssiCdbm / 100).toFixed(1);
    console.log(`${epc.toString('hex')}  antenna ${antenna}  ${rssi} dBm  x${seenCount}`);
  }
});
reads.on('error', (error) => console.error(`stream: ${error.details}`));

const plan = { reportFilter: { kind: 'INTERVAL', scope: 'PER_ANTENNA', periodMs: 1000 } };
radio.startInventory({ plan, owner: 'oem-client' }, (error) => {
  if (error) console.error(`start: ${error.details}`); // somebody else reads: we listen along
});
process.on('SIGINT', () => radio.stopInventory({}, () => process.exit(0)));
