/** The queue of an endpoint behaves as a plain list that is cut to its capacity. */
import fc from 'fast-check';
import t from 'tap';
import { timeNsToMs } from '../../src/contract/time.js';
import { formatEventTime, formatUptime } from '../../src/platform/clock.js';
import { EventRing, type WaitingEvent } from '../../src/reader-gateway/delivery/ring.js';
import { batchingRule, parseSize, retentionRule } from '../../src/reader-gateway/delivery/rules.js';

const event = (id: number): WaitingEvent => ({ json: String(id), bytes: id % 7, atMs: id });

t.test('pushing, taking and putting back in any order', async () => {
  const step = fc.oneof(
    fc.constant('push' as const),
    fc.constant('shift' as const),
    fc.nat(9).map((count) => ({ putBack: count })),
    fc.constant('clear' as const),
  );
  const steps = fc.array(fc.oneof({ weight: 6, arbitrary: step }, step), { maxLength: 400 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 200 }), steps, (capacity, todo) => {
      const ring = new EventRing(capacity);
      let model: WaitingEvent[] = [];
      let next = 0;
      for (const one of todo) {
        if (one === 'push') {
          const added = event(next++);
          const lost = ring.push(added);
          model.push(added);
          if (lost !== Math.max(0, model.length - capacity)) throw new Error('lost');
          model = model.slice(-capacity);
        } else if (one === 'shift') {
          if (ring.shift() !== model.shift()) throw new Error('shift');
        } else if (one === 'clear') {
          if (next % 10 === 0 && ring.clear() !== model.splice(0).length) throw new Error('clear');
        } else {
          const back = Array.from({ length: one.putBack }, () => event(next++));
          const lost = ring.putBack(back);
          const room = Math.min(back.length, capacity - model.length);
          if (lost !== back.length - room) throw new Error('room');
          model = [...back.slice(back.length - room), ...model];
        }
        const bytes = model.reduce((sum, { bytes }) => sum + bytes, 0);
        if (ring.size !== model.length || ring.bytes !== bytes) throw new Error('size');
        if (ring.oldest() !== model[0]) throw new Error('oldest');
      }
    }),
  );
});

t.test('batching is on for HTTP POST, off for MQTT, and off with 0 or -1 twice', async (t) => {
  const on = { intervalMs: 2000, maxBytes: 256000 };
  t.same(batchingRule('httpPost', undefined, undefined), on);
  t.equal(batchingRule('mqtt', undefined, undefined), undefined);
  t.same(batchingRule('mqtt', {}, undefined), on);
  const off = { reportingInterval: 0, maxPayloadSizePerReport: 0 };
  t.equal(batchingRule('httpPost', off, undefined), undefined);
  const minus = { reportingInterval: -1, maxPayloadSizePerReport: -1 };
  t.equal(batchingRule('httpPost', {}, minus), undefined, 'its own settings win');
  t.same(batchingRule('mqtt', off, { reportingInterval: 50 }), {
    intervalMs: 50,
    maxBytes: 256000,
  });
  t.same(
    [parseSize('256KB'), parseSize(' 1 mb'), parseSize('77'), parseSize(-1)],
    [256000, 1e6, 77, -1],
  );
  t.match(retentionRule(undefined, undefined), {
    maxEvents: 150000,
    maxAgeMs: Number.POSITIVE_INFINITY,
    throttle: 100,
  });
  t.match(retentionRule({ throttle: 5 }, { maxEventRetentionTimeInMin: 2 }), {
    maxAgeMs: 120_000,
    throttle: 5,
  });
});

t.test('times are written as the interface shows them', async (t) => {
  t.match(formatEventTime(0), /^19(70-01-01|69-12-31)T\d\d:\d\d:00\.000[+-]\d{4}$/);
  t.equal(formatUptime(3 * 86400 + 4 * 3600 + 5 * 60 + 6.9), '3 days 04:05:06');
  t.equal(Math.floor(timeNsToMs({ low: 0, high: 1, unsigned: true })), 4294);
});
