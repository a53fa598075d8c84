/** A client that watches the lines and does not keep up. */
import t from 'tap';
import { Line, type LineInput, type LinesUpdateInput } from '../../src/contract/messages.js';
import { LineWatcher, WAITING_LIMIT } from '../../src/radio-control/lines/line-watcher.js';

const output = (port: number, high: boolean): LineInput => ({
  kind: Line.Kind.OUTPUT,
  port,
  high,
});

/** A transport that is full after each update, as long as `full` says. */
function slowWatcher() {
  const updates: LinesUpdateInput[] = [];
  const state = { full: false, fault: '', level: false };
  const watcher = new LineWatcher(
    {
      send: (update) => {
        updates.push(update);
        return !state.full;
      },
    },
    () => ({ lines: [output(1, state.level)], fault: state.fault }),
    () => {},
  );
  const set = (high: boolean) => {
    state.level = high;
    watcher.push(output(1, high));
  };
  return { watcher, updates, state, set };
}

t.test('changes wait for a transport that is full, and travel together', async (t) => {
  const { watcher, updates, state, set } = slowWatcher();
  state.full = true;
  watcher.begin();
  set(true);
  set(false);
  t.equal(updates.length, 1);
  watcher.resume();
  t.strictSame(updates[1], {
    lines: [output(1, true), output(1, false)],
    complete: false,
    dropped: 0,
    fault: '',
  });
});

t.test('a client that falls behind too far gets all levels again, and the count', async (t) => {
  const { watcher, updates, state, set } = slowWatcher();
  state.full = true;
  watcher.begin();
  for (let i = 0; i < WAITING_LIMIT + 10; i++) set(i % 2 === 0);
  set(true);
  watcher.resume();
  t.strictSame(updates[1], {
    lines: [output(1, true)],
    complete: true,
    dropped: WAITING_LIMIT + 11,
    fault: '',
  });
  state.full = false;
  watcher.resume();
  set(false);
  t.match(updates[2], { lines: [output(1, false)], complete: false, dropped: WAITING_LIMIT + 11 });
});

t.test('a fault comes without lines, and nothing comes after the end', async (t) => {
  const { watcher, updates, state, set } = slowWatcher();
  watcher.begin();
  state.fault = 'the chip is gone';
  watcher.faultChanged();
  t.strictSame(updates[1], { lines: [], complete: false, dropped: 0, fault: 'the chip is gone' });
  watcher.close();
  set(true);
  watcher.faultChanged();
  t.equal(updates.length, 2);
});
