/** Reading goes on across restarts of this service, of the radio service and of the machine. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { RadioState } from '../../src/contract/messages.js';
import { FakeRadio } from './fake-radio.js';
import { radioTarget, TestReader, temporaryFolder, until } from './reader.js';

const runState = (folder: string) => {
  const { formatVersion, ...state } = JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8'));
  return state;
};

t.test('the gateway', async (t) => {
  t.test('a restart finds the radio reading and keeps it', async (t) => {
    const first = await TestReader.start(t);
    const { stateDir, radio } = first;
    await first.call('PUT', 'start');
    t.same(runState(stateDir), { reading: true, bootId: 'this boot' });
    await first.gateway.stop();
    t.ok(radio.isReading, 'the radio is left as it is');
    const second = await TestReader.start(t, { stateDir, radio });
    await sleep(100);
    t.equal(radio.starts.length, 1);
    t.equal(radio.stops, 0);
    t.match((await second.call('GET', 'status')).json, { radioActivity: 'active' });
    await second.call('PUT', 'stop');
    t.same(runState(stateDir), { reading: false, bootId: 'this boot' });
    await second.gateway.stop();
    const third = await TestReader.start(t, { stateDir, radio });
    await third.gateway.stop();
    t.equal(radio.starts.length, 1, 'stopped stays stopped');
  });

  t.test('a reboot resumes only what was to persist', async (t) => {
    for (const [doNotPersistState, starts] of [
      [true, 1],
      [false, 2],
    ] as const) {
      const first = await TestReader.start(t);
      const { stateDir, radio } = first;
      await first.call('PUT', 'start', { doNotPersistState });
      await first.gateway.stop();
      radio.state = RadioState.RADIO_STATE_IDLE;
      radio.owner = '';
      const second = await TestReader.start(t, { stateDir, radio, bootId: 'next boot' });
      await sleep(100);
      t.equal(radio.starts.length, starts);
      await second.gateway.stop();
    }
  });

  t.test('autostart reads from the start', async (t) => {
    const reader = await TestReader.start(t, { autostart: true });
    t.ok(reader.radio.isReading);
    t.same(runState(reader.stateDir), { reading: true, bootId: 'this boot' });
    await reader.gateway.stop();
  });

  t.test('autostart is remembered before the radio has answered', async (t) => {
    const radio = new FakeRadio();
    const first = await TestReader.start(t, { radio, autostart: true });
    const { stateDir } = first;
    await first.gateway.stop();
    t.same(runState(stateDir), { reading: true, bootId: 'this boot' });
    await radio.listen(radioTarget(stateDir));
    t.teardown(() => radio.kill());
    const second = await TestReader.start(t, { stateDir, radio });
    await until('it reads', () => radio.isReading);
    await second.gateway.stop();
  });

  t.test('autostart takes back no stop of this boot, and reads in the next one', async (t) => {
    const first = await TestReader.start(t, { autostart: true });
    const { stateDir, radio } = first;
    await first.call('PUT', 'stop');
    await first.gateway.stop();
    const second = await TestReader.start(t, { stateDir, radio, autostart: true });
    await second.gateway.stop();
    t.equal(radio.starts.length, 1, 'stopped stays stopped');
    const booted = { stateDir, radio, autostart: true, bootId: 'next boot' };
    const third = await TestReader.start(t, booted);
    t.equal(radio.starts.length, 2);
    await third.gateway.stop();
  });

  t.test('a mode that was set survives', async (t) => {
    const first = await TestReader.start(t);
    const { stateDir, radio } = first;
    await first.call('PUT', 'mode', { type: 'CONVEYOR', antennas: [2] });
    await first.gateway.stop();
    const second = await TestReader.start(t, { stateDir, radio });
    t.same((await second.call('GET', 'mode')).json, { type: 'CONVEYOR', antennas: [2] });
    await second.gateway.stop();
  });
});

t.test('the radio service', async (t) => {
  t.test('a restart gets the plan again', async (t) => {
    const folder = temporaryFolder(t);
    const first = new FakeRadio();
    await first.listen(radioTarget(folder));
    const reader = await TestReader.start(t, { stateDir: folder, radio: first });
    t.teardown(() => reader.gateway.stop());
    await reader.call('PUT', 'mode', { type: 'SIMPLE', antennas: [4] });
    await reader.call('PUT', 'start');
    first.kill();
    await until('the loss shows', async () => true);
    await sleep(200);
    t.match((await reader.call('GET', 'status')).json, { radioConnection: 'disconnected' });
    const second = new FakeRadio();
    await second.listen(radioTarget(folder));
    t.teardown(() => second.kill());
    await until('the plan is started', () => second.starts.length === 1);
    t.same(
      second.starts[0]?.plan.antennas?.map(({ port }) => port),
      [4],
    );
    t.match((await reader.call('GET', 'status')).json, {
      radioConnection: 'connected',
      radioActivity: 'active',
    });
    second.state = RadioState.RADIO_STATE_DISCONNECTED;
    second.endReason = 'the module does not answer';
    await sleep(700);
    second.state = RadioState.RADIO_STATE_IDLE;
    await until('the module is back and reads', () => second.starts.length === 2);
  });

  t.test('that is away does not keep the gateway from starting', async (t) => {
    const radio = new FakeRadio();
    const folder = temporaryFolder(t);
    const reader = await TestReader.start(t, { stateDir: folder, radio, autostart: true });
    t.teardown(() => reader.gateway.stop());
    t.match((await reader.call('GET', 'status')).json, { radioConnection: 'disconnected' });
    t.match(await reader.call('PUT', 'mode', { type: 'SIMPLE' }), {
      status: 500,
      json: { code: 4 },
    });
    t.equal((await reader.call('GET', 'mode')).status, 200);
    await radio.listen(radioTarget(folder));
    t.teardown(() => radio.kill());
    await until('it reads', () => radio.isReading);
  });

  t.test('an inventory that ends by itself is over', async (t) => {
    const reader = await TestReader.start(t);
    const { radio, stateDir } = reader;
    await reader.call('PUT', 'start');
    radio.end('end of recording');
    await until('the end is noted', () => !runState(stateDir).reading);
    await sleep(600);
    t.equal(radio.starts.length, 1, 'it is not started again');
    t.match((await reader.call('GET', 'status')).json, { radioActivity: 'inactive' });
    await reader.gateway.stop();
    const next = await TestReader.start(t, { stateDir, radio });
    await next.gateway.stop();
    t.equal(radio.starts.length, 1);
  });
});
