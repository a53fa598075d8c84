import t from 'tap';
import { readTimeZone } from '../../src/platform/time-zone.js';

/** What other names the runtime's tables have for the same zone. */
const sameZone = (zone: string) =>
  new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;

t.test('the zone of the process is known without the tables of the runtime', async (t) => {
  const given = process.env.TZ;
  t.teardown(() => {
    if (given === undefined) delete process.env.TZ;
    else process.env.TZ = given;
  });

  for (const [TZ, zone] of [
    ['America/Argentina/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
    ['Etc/GMT+5', 'Etc/GMT+5'],
    [':Europe/Berlin', 'Europe/Berlin'],
    // Rules, and a way out of the folder of zones, are no names.
    ['CET-1CEST,M3.5.0,M10.5.0/3', 'UTC'],
    ['../../etc/passwd', 'UTC'],
  ]) {
    process.env.TZ = TZ;
    t.equal(readTimeZone(), zone, `TZ=${TZ}`);
  }

  delete process.env.TZ;
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  t.equal(sameZone(readTimeZone()), sameZone(timeZone), 'that of the machine');
});
