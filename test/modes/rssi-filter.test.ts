import t from 'tap';
import { named, runMode, tagsOf } from './on-air.js';

t.test('tags below the threshold are not inventoried', async (t) => {
  const near = tagsOf(5);
  const far = tagsOf(10)
    .slice(5)
    .map((tag) => ({ ...tag, offset: [4, 0, 0] as [number, number, number] }));
  const options = {
    tags: [...near, ...far],
    ports: [1],
    facts: { readerModel: 'fixed-8-rssi' },
  };
  const mode = { type: 'SIMPLE', tagMetaData: ['RSSI'] };
  const all = await runMode(mode, options);
  t.equal(all.events.length, 10);
  const levels = all.events.map(({ data }) => data.peakRssi).sort((a, b) => a - b);
  const threshold = ((levels[4] as number) + (levels[5] as number)) / 2;
  const some = await runMode({ ...mode, rssiFilter: { threshold } }, options);
  t.same(
    some.events.map(({ data }) => data.idHex).sort(),
    near.map(({ epc }) => epc),
  );
  t.ok(some.status.tooWeak >= 5, `${some.status.tooWeak} replies were too weak`);
  t.equal(named(some.commands, 'ACK').length, 5, 'they are not even acknowledged');
  const flags = some.tags.slice(5).map((tag) => tag.flags[1]);
  t.same(flags, ['A', 'A', 'A', 'A', 'A']);
});
