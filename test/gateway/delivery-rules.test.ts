/** Batching and retention of a connection: its own settings, the reader's, the defaults. */
import t from 'tap';
import { timeNsToMs } from '../../src/contract/time.js';
import { formatEventTime, formatUptime } from '../../src/platform/clock.js';
import { parseSize } from '../../src/reader-gateway/api/sizes.js';
import { batchingRule, retentionRule } from '../../src/reader-gateway/delivery/rules.js';

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
  const large = { maxPayloadSizePerReport: '1MB' };
  const sizes = (['mqtt', 'mqtt-AWS', 'mqtt-AZURE'] as const).map((type) => {
    return batchingRule(type, large, undefined)?.maxBytes;
  });
  t.same(sizes, [1_000_000, 131_072, 262_144], 'no more than the broker of a cloud takes');
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
