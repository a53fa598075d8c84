/** PORTAL, starts that come again, and another plan while an emulated module reads. */
import t from 'tap';
import type { TagRead } from '../../src/contract/messages.js';
import { eventText } from '../../src/reader-gateway/delivery/event-bytes.js';
import { TagEventFormatter } from '../../src/reader-gateway/delivery/tag-event.js';
import { IDENTITY, tagsOf } from '../modes/on-air.js';
import { runningBoth } from './on-module.js';

const READING = {
  type: 'CUSTOM',
  antennas: [1],
  query: { session: 'S0' },
  reportFilter: { duration: 0, type: 'RADIO_WIDE' },
  delayBetweenAntennaCycles: { type: 'DISABLED', duration: 0 },
};
const hex = ({ epc }: TagRead) => Buffer.from(epc).toString('hex');
/** Which tag at which antenna, sorted. */
const where = (reads: TagRead[]) => reads.map((read) => `${hex(read)} ${read.antenna}`).sort();

t.test('PORTAL: each trigger reports each tag afresh per antenna', async (t) => {
  const seen: string[][][] = [];
  for (const running of await runningBoth(t, { ports: [1, 2] })) {
    running.setInput(1, true);
    running.start({
      type: 'PORTAL',
      antennas: [1, 2],
      query: { session: 'S0' },
      modeSpecificSettings: { stopInterval: 0.4 },
    });
    const periods: string[][] = [];
    for (let period = 1; period <= 2; period++) {
      await running.until(({ waiting }) => waiting);
      t.equal(running.reports().length, 0, 'nothing before the trigger');
      await new Promise((resolve) => setTimeout(resolve, 20));
      running.setInput(1, false);
      const reads = await running.until(({ periods, waiting }) => periods >= period && waiting);
      periods.push(where(reads));
      running.setInput(1, true);
    }
    await running.stop();
    // The module reads in real time: on a machine that stalls the interval may end a period early.
    if (seen.length === 0) t.equal(periods[0]?.length, 20, 'ten tags on two antennas');
    seen.push(periods);
  }
  const [simulated = [], module = []] = seen;
  t.same(simulated[1], simulated[0], 'each trigger afresh');
  for (const [i, reports] of module.entries()) {
    t.equal(new Set(reports).size, reports.length, 'the module reports each once');
    t.ok(reports.length > 0 && reports.every((one) => simulated[i]?.includes(one)));
  }
});

t.test('PORTAL by default, once its input was LOW', async (t) => {
  const events: object[] = [];
  for (const running of await runningBoth(t, { tags: tagsOf(1) })) {
    running.setInput(1, false);
    running.start({ type: 'PORTAL', antennas: [1] });
    const reports = await running.until((_, all) => all.length > 0);
    await running.stop();
    const formatter = new TagEventFormatter(running.content, IDENTITY);
    const event = JSON.parse(eventText(formatter.format(reports[0] as TagRead), 43));
    t.same(Object.keys(event.data), ['antenna', 'eventNum', 'format', 'idHex']);
    events.push({ ...event, timestamp: '' });
  }
  t.same(events[1], events[0]);
});

t.test('GPI_WITH_RESTART reads again at each new edge, and reports afresh', async (t) => {
  for (const running of await runningBoth(t)) {
    running.setInput(1, true);
    running.start({
      ...READING,
      reportFilter: undefined,
      radioStartConditions: { type: 'GPI_WITH_RESTART', gpis: [{ port: 1, signal: 'LOW' }] },
      radioStopConditions: { antennaCycles: 3 },
    });
    const all: TagRead[] = [];
    for (let period = 1; period <= 3; period++) {
      await running.until(({ waiting }) => waiting);
      await new Promise((resolve) => setTimeout(resolve, 20));
      running.setInput(1, false);
      all.push(...(await running.until(({ periods, waiting }) => periods === period && waiting)));
      running.setInput(1, true);
    }
    await running.stop();
    t.equal(running.status().periods, 3);
    for (const epc of new Set(all.map(hex))) {
      t.ok(all.filter((read) => hex(read) === epc).length >= 3, 'each tag, each time');
    }
    t.equal(new Set(all.map(hex)).size, 10);
  }
});

t.test('another plan while it reads: the tags go on, with what the plan asks for', async (t) => {
  for (const running of await runningBoth(t)) {
    running.start(READING);
    await running.until((_, reads) => reads.length >= 10);
    const next = [
      { ...READING, tagMetaData: ['TID'] },
      { ...READING, reportFilter: { duration: 1, type: 'PER_ANTENNA' } },
      { ...READING, transmitPower: 25 },
      { ...READING, environment: 'DEMO' },
      { ...READING, antennas: [2] },
    ];
    for (const [i, mode] of next.entries()) {
      const number = running.change(mode);
      t.equal(number, i + 1);
      const reads = await running.until(
        ({ planChanges }, all) =>
          planChanges === number &&
          new Set(all.filter(({ plan }) => plan === number).map(hex)).size === 10,
      );
      const own = reads.filter(({ plan }) => plan === number);
      if (i === 0)
        t.ok(
          own.every(({ memory }) => memory.length > 0),
          'each with its TID',
        );
      if (i === 4)
        t.ok(
          own.every(({ antenna }) => antenna === 2),
          'at the other antenna',
        );
    }
    await running.stop();
    t.equal(running.status().dropped, 0);
  }
});

t.test('a change that leaves the report filter as it is reports nothing again', async (t) => {
  for (const running of await runningBoth(t)) {
    const simple = { ...READING, type: 'SIMPLE', reportFilter: undefined };
    running.start(simple);
    const first = await running.until(({ rounds }) => rounds > 5);
    t.equal(first.length, 10);
    running.change({ ...simple, transmitPower: 25 });
    const more = await running.until(({ planChanges, rounds }) => planChanges === 1 && rounds > 15);
    t.equal(more.length, 0, 'SIMPLE has reported them');
    running.change({ ...simple, type: 'CONVEYOR' });
    const afresh = await running.until((_, reports) => reports.length >= 10);
    t.equal(afresh.length, 10, 'another filter begins afresh');
    await running.stop();
  }
});

t.test('tags that come and go are seen in time', async (t) => {
  const mode = { ...READING, delayBetweenAntennaCycles: { type: 'NO_TAGS', duration: 100 } };
  const run = {
    field: {
      groups: [
        {
          waypoints: [
            [1.5, 0, 0, 0],
            [100, 0, 0, 0],
          ] as [number, number, number, number][],
          periodSeconds: 0,
          tags: [
            {
              epc: Buffer.alloc(12, 1),
              offset: [0, 0, 0] as [number, number, number],
              sensitivityDbm: -20,
            },
          ],
        },
      ],
    },
  };
  for (const running of await runningBoth(t, run)) {
    running.start(mode);
    await running.until(({ reads }) => reads > 0);
    await running.stop();
    t.ok(running.status().cycles > 1);
  }
});
