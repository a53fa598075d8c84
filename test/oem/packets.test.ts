import t from 'tap';
import { Packet } from '../../src/contract/messages.js';
import { until } from '../gateway/reader.js';
import { collect, serviceWithClient } from './service.js';

t.test('the radio packet log comes live, decoded, in its order', async (t) => {
  const { client } = await serviceWithClient(t);
  const stream = collect(t, client.streamPackets());
  await client.startInventory({ plan: { antennas: [{ port: 1, query: { session: 1 } }] } });
  const packets = () => stream.messages.flatMap((message) => message.packets);
  await until('packets of some rounds', () => packets().length > 300);
  const { READER, TAG, CARRIER } = Packet.Direction;
  const query = packets().find(({ name }) => name === 'Query');
  t.equal(query?.direction, READER);
  t.equal(query?.antenna, 1);
  t.equal(query?.bits, 22);
  t.equal(query?.frame?.length, 3);
  t.equal(JSON.parse(query?.fieldsJson ?? '').session, 1);
  t.ok(packets().some(({ direction, name }) => direction === TAG && name === 'EPC'));
  t.ok(packets().some(({ direction, name }) => direction === CARRIER && name === 'on'));
  await client.stopInventory();
});

t.test('the log goes on with the radio of another region', async (t) => {
  const { client } = await serviceWithClient(t);
  const stream = collect(t, client.streamPackets());
  await client.startInventory({ plan: {} });
  await until('packets', () => stream.messages.length > 0);
  await client.stopInventory();
  await client.setRegion({ region: 'etsi-lower' });
  await client.startInventory({ plan: {} });
  await until('packets in the other band', () =>
    stream.messages.some(({ packets }) =>
      packets.some(({ frequencyKhz: khz = 0 }) => (khz ?? 0) > 865_000 && (khz ?? 0) < 868_000),
    ),
  );
});
