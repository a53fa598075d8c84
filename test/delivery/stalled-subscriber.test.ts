/** A subscriber that reads nothing for ten minutes of a shortened clock, beside one that reads. */
import t from 'tap';
import { until } from '../gateway/reader.js';
import { lineClient, offer, tcpEndpoint } from './harness.js';
import { VirtualClock } from './virtual-clock.js';

const SECONDS = 600;
const PER_SECOND = 1300;
const KEPT = 150_000;

t.test(
  'it holds up nobody, memory stays bounded, and its losses are counted and reported',
  async (t) => {
    const clock = new VirtualClock();
    const stalled = await tcpEndpoint(t, { clock, retention: { throttle: 0 } });
    const healthy = await tcpEndpoint(t, { clock, retention: { throttle: 0 } });
    const sleeper = await lineClient(stalled.endpoint, stalled.port);
    const reader = await lineClient(healthy.endpoint, healthy.port);
    sleeper.socket.pause();

    let mostBytes = 0;
    for (let second = 0; second < SECONDS; second++) {
      offer(stalled.endpoint, PER_SECOND);
      offer(healthy.endpoint, PER_SECOND);
      await clock.advance(1000);
      const offered = (second + 1) * PER_SECOND;
      await until('the other has all of them', () => reader.arrivals.numbers.length === offered);
      mostBytes = Math.max(mostBytes, stalled.endpoint.memoryBytes);
    }
    t.ok(stalled.endpoint.state.connected, 'a connection that stalls is not lost');
    t.ok(mostBytes < 64e6, `at most ${mostBytes} bytes`);
    t.equal(healthy.endpoint.counters.dropped, 0);
    const { retained, dropped } = stalled.endpoint.counters;
    t.ok(dropped > 0 && retained >= KEPT, `${retained} wait, ${dropped} are dropped`);

    sleeper.socket.resume();
    const last = SECONDS * PER_SECOND;
    for (let turn = 0; turn < 1000 && !sleeper.arrivals.distinct.has(last); turn++) {
      await clock.advance(100);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    t.same(sleeper.arrivals.unaccounted(last), [], 'every number came or was reported');
    const reported = sleeper.arrivals.overflows.reduce((sum, { lost }) => sum + lost, 0);
    t.equal(reported, stalled.endpoint.counters.dropped, 'reported as counted');
  },
);
