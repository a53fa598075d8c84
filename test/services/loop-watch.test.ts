import t from 'tap';
import { BeatWatch } from '../../src/cli/beat-watch.js';
import { type LongTurn, LoopWatch } from '../../src/shared/loop-watch.js';
import { until } from '../gateway/reader.js';

interface Told {
  turns: number;
  longest: LongTurn;
  busiest: LongTurn;
}

t.test('turns above 250 ms are counted, and logged every ten seconds at most', (t) => {
  const time = { now: 0, idle: 0, cpu: 0 };
  const told: Told[] = [];
  const watch = new LoopWatch((turns) => told.push(turns), {
    now: () => time.now,
    idle: () => time.idle,
    cpu: () => time.cpu,
  });
  const turn = (ms: number, cpuMs: number) => {
    // It began 40 ms after the tick before.
    time.now += 40 + ms;
    time.idle += 40;
    time.cpu += cpuMs;
    watch.tick();
  };
  turn(250, 250);
  t.equal(watch.turns, 0, '250 ms are allowed');
  turn(251, 30);
  t.same(told, [{ turns: 1, longest: { ms: 251, cpuMs: 30 }, busiest: { ms: 251, cpuMs: 30 } }]);
  turn(300, 290);
  turn(900, 20);
  turn(60, 60);
  t.equal(told.length, 1);
  for (let i = 0; i < 100; i++) turn(60, 10);
  t.same(told.slice(1), [
    { turns: 2, longest: { ms: 900, cpuMs: 20 }, busiest: { ms: 300, cpuMs: 290 } },
  ]);
  turn(400, 400);
  watch.stop();
  t.match(told[2], { turns: 1, longest: { ms: 400 } }, 'the end tells the rest');
  t.match(watch, { turns: 4, longestMs: 900 });
  t.end();
});

t.test('a turn of a real loop that takes long is measured, with what it cost', async (t) => {
  const told: Told[] = [];
  const watch = new LoopWatch((turns) => told.push(turns)).start();
  t.teardown(() => watch.stop());
  const { user, system } = process.cpuUsage();
  const spent = () => {
    const now = process.cpuUsage();
    return (now.user + now.system - user - system) / 1000;
  };
  while (spent() < 350);
  await until('it is noticed', () => told.length > 0);
  const [{ busiest } = { busiest: { ms: 0, cpuMs: 0 } }] = told;
  t.ok(busiest.ms > 300, `${busiest.ms} ms`);
  t.ok(busiest.cpuMs > 200, `${busiest.cpuMs} ms of the processor`);
});

t.test('a service stands after 10 s without a beat, of which its watcher was awake', (t) => {
  let now = 0;
  const watch = new BeatWatch({ silentMs: 10_000, firstMs: 60_000 }, () => now);
  const looks = (count: number, everyMs = 1000) => {
    let stands = false;
    for (let i = 0; i < count; i++) {
      now += everyMs;
      stands = watch.look();
    }
    return stands;
  };
  t.notOk(looks(59), 'before its first beat it has a minute');
  watch.beat();
  t.notOk(looks(9));
  t.ok(looks(1));
  watch.beat();
  t.notOk(looks(1, 3_600_000), 'a machine that slept');
  t.notOk(looks(8));
  t.ok(looks(1));
  t.end();
});
