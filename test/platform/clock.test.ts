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
