import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mqtt from 'mqtt';
import t, { type Test } from 'tap';
import { Product } from './product.js';

/** A recording of the nine-column form without a heading: 300 reads on three antennas in 30 s. */
function recording(): string {
  return Array.from({ length: 300 }, (_, i) => {
    const antenna = 1 + (i % 3);
    const frequency = 920.25 + 0.5 * (i % 10);
    return `${i / 10},0.1,0.9,-0.1,${antenna},${-60 - (i % 7) / 2},${(i % 62) / 10},${frequency},1`;
  }).join('\n');
}

async function replayed(t: Test, mode: object, name: string) {
  const folder = mkdtempSync(join(tmpdir(), 'singulate-recording-'));
  const file = join(folder, name);
  writeFileSync(file, recording());
  t.teardown(() => rmSync(folder, { recursive: true }));
  const product = await Product.start({ args: ['--no-autostart', '--fast', '--replay', file] });
  t.teardown(() => product.dispose());
  const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${product.mqttPort}`, product.mqttLogin);
  t.teardown(() => client.endAsync(true));
  // biome-ignore lint/suspicious/noExplicitAny: events as they come
  const events: any[] = [];
  client.on('message', (_topic, payload) => events.push(JSON.parse(payload.toString())));
  await client.subscribeAsync('singulate/d-evt');
  const put = await product.call('PUT', '/cloud/mode', mode);
  t.equal(put.status, 200, put.text);
  await product.call('PUT', '/cloud/start', {});
  const end = await product.until(
    () => product.lines.find(({ msg }) => msg === 'replay finished'),
    'the replay is finished',
  );
  await product.until(() => events.length >= (end.reported as number), 'every report arrived');
  return { events, end };
}

t.test('with every read reported, every line of a recording arrives', async (t) => {
  const { events, end } = await replayed(
    t,
    {
      type: 'CUSTOM',
      reportFilter: { duration: 0, type: 'RADIO_WIDE' },
      tagMetaData: ['ANTENNA', 'RSSI', 'PHASE', 'CHANNEL'],
    },
    'trial1',
  );
  t.match(end, { reads: 300, reported: 300, filtered: 0, dropped: 0 });
  t.strictSame(
    events.map(({ data }) => data.eventNum),
    Array.from({ length: 300 }, (_, i) => i + 1),
  );
  t.match(events[1].data, {
    idHex: Buffer.from('trial1').toString('hex'),
    antenna: 2,
    peakRssi: -60,
    channel: 920.75,
  });
  t.ok(Math.abs(events[1].data.phase - (0.1 * 180) / Math.PI) < 0.01, 'phase in degrees');
});

t.test('with a report filter, reads in equal reported + filtered + dropped', async (t) => {
  const { events, end } = await replayed(
    t,
    { type: 'CUSTOM', reportFilter: { duration: 5, type: 'PER_ANTENNA' } },
    'trial2',
  );
  t.equal(end.reads, 300);
  t.equal((end.reported as number) + (end.filtered as number), 300);
  t.equal(end.dropped, 0);
  t.equal(end.reported, 21, 'three antennas, each at 0, 5, 10, 15, 20 and 25 s and at the end');
  t.equal(events.length, 21);
});
