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
  t.equal(
    day.unaccounted,
    0,
    `${day.events} events: ${day.arrived} came, ${day.reported} were lost`,
  );
  t.ok(day.reported > 0, 'some outages were longer than the retention, and reported');
  t.equal(day.sent + day.dropped, day.events, 'sent or counted');
  t.equal(day.dropped, day.reported, 'counted as reported');
  const used: number[] = day.used;
  const [early, late] = [Math.max(...used.slice(0, 6)), Math.max(...used.slice(-6))];
  t.ok(late < early + SLACK_BYTES, `${late} bytes in the last hours, ${early} in the first`);
  t.ok(Math.max(...used) < 64e6);
});
