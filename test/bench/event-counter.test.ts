import t from 'tap';
import { EventCounter } from '../../bench/delivery/event-counter.js';

const event = (num: number) =>
  `{"data":{"antenna":1,"eventNum":${num},"idHex":"00"},"type":"SIMPLE"}`;
const TEXT = `[${[8, 9, 10, 11, 100, 101].map(event).join(',')}]`;

t.test('events are counted wherever their bytes are cut', async (t) => {
  for (let size = 1; size <= TEXT.length; size++) {
    const counter = new EventCounter();
    for (let at = 0; at < TEXT.length; at += size) {
      counter.take(Buffer.from(TEXT.slice(at, at + size)));
    }
    t.equal(counter.received, 6, `pieces of ${size} bytes`);
    t.equal(counter.highest, 101);
  }
});

t.test('an event that comes twice is counted once, one that comes late is noticed', async (t) => {
  const counter = new EventCounter();
  for (const num of [1, 2, 2, 5, 3, 3]) counter.take(Buffer.from(event(num)));
  t.same([counter.received, counter.late, counter.repeated], [4, 1, 2]);
});

t.test('a new run goes on with the numbers', async (t) => {
  const counter = new EventCounter();
  counter.take(Buffer.from(event(7)));
  counter.begin();
  counter.take(Buffer.from(event(7)));
  counter.take(Buffer.from(event(8)));
  await counter.until(1);
  t.equal(counter.received, 1);
});
