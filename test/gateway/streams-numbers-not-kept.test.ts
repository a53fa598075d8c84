/** Nothing can be written while somebody reads along: numbers begin again far above, and that is told. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import t from 'tap';
import { FakeRadio, read } from './fake-radio.js';
import { GatewayProcess } from './gateway-process.js';
import { radioTarget, send, temporaryFolder, until } from './reader.js';
import { bearer, HttpStream, idOf } from './streams.js';

t.test('a stream goes on, and one that resumes is told', async (t) => {
  const stateDir = temporaryFolder(t);
  const radio = new FakeRadio();
  await radio.listen(radioTarget(stateDir));
  const gateway = await GatewayProcess.start(t, stateDir);
  t.teardown(async () => {
    gateway.child.kill('SIGKILL');
    await once(gateway.child, 'close');
    radio.kill();
  });
  await gateway.ready(1);
  await gateway.call('PUT', 'start');
  await until('the gateway listens to the radio', () => radio.subscribers === 1);
  const token = await gateway.token();
  const stream = await HttpStream.open(t, { gateway }, '/cloud/events', bearer(token));
  const isKept = async () => {
    const { text } = await send(gateway.restUrl, 'GET', '/cloud/metrics', {
      headers: bearer(token),
    });
    return /^singulate_event_numbers_kept (\d)$/m.exec(text)?.[1];
  };
  radio.send(read(idOf(1)));
  await until('it came', () => stream.numbers.length === 1);
  t.equal(await isKept(), '1');

  execFileSync('prlimit', ['--pid', String(gateway.child.pid), '--fsize=0:']);
  // More than it counts as used.
  radio.send(...Array.from({ length: 1000 }, (_, index) => read(idOf(2 + index))));
  await until('all came', () => events().length === 1001);
  t.equal(await isKept(), '0');
  const told = all().find(({ type }) => type === 'OVERFLOW');
  const { firstEventNum, lastEventNum, lost } = told.data;
  t.equal(lost, 0);
  const expected = Array.from({ length: 1001 }, (_, index) =>
    index + 1 < firstEventNum ? index + 1 : lastEventNum + index + 2 - firstEventNum,
  );
  t.ok(lastEventNum > 1e12, `${lastEventNum} is far above`);
  t.same(
    events().map(({ data }) => data.eventNum),
    expected,
  );
  t.same(
    events().map(({ data }) => data.idHex),
    Array.from({ length: 1001 }, (_, index) => idOf(index + 1)),
  );

  const late = await HttpStream.open(t, { gateway }, '/cloud/events?after=1', bearer(token));
  await until('it has all', () => late.numbers.at(-1) === expected.at(-1));
  t.match(late.events[0], {
    type: 'OVERFLOW',
    data: { firstEventNum: 2, lastEventNum, lost: firstEventNum - 2 },
  });

  // biome-ignore lint/suspicious/noExplicitAny: tests look into events
  function all(): any[] {
    return stream.events;
  }
  function events() {
    return all().filter(({ type }) => type !== 'OVERFLOW');
  }
});
