/** A day of virtual operation at 300 events a second with an outage every hour. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import t from 'tap';

const HOURS = 24;
/** What a garbage collector may leave behind. */
const SLACK_BYTES = 4e6;

t.test('nothing is unaccounted, and memory does not grow after the first hour', async (t) => {
  const script = fileURLToPath(new URL('./day-run.js', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [script, String(HOURS)]);
  const day = JSON.parse(stdout);
  t.equal(day.events, HOURS * 3600 * 300);
  t.equal(day.unaccounted, 0, `${day.events} events: ${day.arrived} came, ${day.told} were lost`);
  t.ok(day.told > 0, 'some outages were longer than the retention, and told');
  t.equal(day.sent + day.dropped, day.events, 'sent or counted');
  t.equal(day.dropped, day.told, 'counted as told');
  const [first = 0, ...later]: number[] = day.used;
  const grown = Math.max(...later) - first;
  t.ok(grown < SLACK_BYTES, `at most ${(grown / 1e6).toFixed(1)} MB above the first hour`);
});
