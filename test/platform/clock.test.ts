import t from 'tap';
import { formatEventTime, useTimeZone } from '../../src/platform/clock.js';

t.test('event times have their milliseconds, and the zone of the moment', async (t) => {
  const given = process.env.TZ;
  t.teardown(() => {
    if (given === undefined) delete process.env.TZ;
    else process.env.TZ = given;
  });
  const ms = Date.UTC(2024, 4, 6, 5, 8, 9, 7);

  useTimeZone('Europe/Berlin');
  t.equal(formatEventTime(ms), '2024-05-06T07:08:09.007+0200');
  t.equal(formatEventTime(ms + 992), '2024-05-06T07:08:09.999+0200');
  t.equal(formatEventTime(ms + 993), '2024-05-06T07:08:10.000+0200');
  t.equal(formatEventTime(ms), '2024-05-06T07:08:09.007+0200', 'back again');
  t.equal(formatEventTime(-1), '1970-01-01T00:59:59.999+0100');

  const summer = Date.UTC(2024, 2, 31, 1);
  t.equal(formatEventTime(summer - 1), '2024-03-31T01:59:59.999+0100');
  t.equal(formatEventTime(summer), '2024-03-31T03:00:00.000+0200');

  t.equal(formatEventTime(ms), '2024-05-06T07:08:09.007+0200');
  useTimeZone('America/New_York');
  t.equal(formatEventTime(ms), '2024-05-06T01:08:09.007-0400', 'within the same second');
});

t.test('times of the radio have fractions of a millisecond: they are cut off', async (t) => {
  const ms = Date.UTC(2024, 4, 6, 7, 8, 9, 7);
  const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d{4}$/;
  for (const fraction of [0.209716796875, 0.5, 0.999755859375]) {
    t.equal(formatEventTime(ms + fraction), formatEventTime(ms), String(fraction));
    t.equal(formatEventTime(ms + 992 + fraction), formatEventTime(ms + 992), 'end of a second');
    t.match(formatEventTime(-fraction), iso, 'before 1970');
  }
});
