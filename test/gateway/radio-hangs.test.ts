/**
 * A radio service that hangs: a process that is stopped keeps its socket and its streams, takes calls
 * and answers none. What the gateway says meanwhile is what it knows, and soon.
 */
import t from 'tap';
import { RadioClient } from '../../src/contract/client.js';
import { RadioState } from '../../src/contract/messages.js';
import { counterToNumber } from '../../src/contract/time.js';
import { startRadioControlAt } from '../oem/radio-control.js';
import { FakeRadio } from './fake-radio.js';
import { radioTarget, TestReader, temporaryFolder, until } from './reader.js';

/** What an answer may take; a call of the radio itself would wait for longer. */
const ANSWER_MS = 3000;
/** A machine that does other things at the same time stands still now and then: it is tried again. */
const TRIES = 3;

t.test('a radio service that hangs is seen, and used again when it goes on', async (t) => {
  const stateDir = temporaryFolder(t);
  const socket = radioTarget(stateDir).replace('unix:', '');
  const service = await startRadioControlAt(t, socket, ['--seed', '1']);
  // A process that is stopped would not end with the test.
  t.teardown(() => service.kill('SIGCONT'));
  // The real radio service listens in its place.
  const reader = await TestReader.start(t, { stateDir, radio: new FakeRadio() });
  t.teardown(() => reader.gateway.stop());
  const radio = new RadioClient(service.target);
  t.teardown(() => radio.close());
  const connection = async () => (await reader.call('GET', 'status')).json.radioConnection;
  const isReading = async () => (await radio.getStatus()).state === RadioState.RADIO_STATE_READING;
  const connected = () =>
    until('the radio is connected', async () => (await connection()) === 'connected');
  await connected();

  t.test('its silence alone is noticed', async (t) => {
    service.kill('SIGSTOP');
    await until('it is told', async () => (await connection()) === 'disconnected', 10_000);
    t.equal((await reader.call('PUT', 'start', {})).status, 500);
    t.match(await reader.call('GET', 'region'), { status: 500, json: { code: 4 } });
    service.kill('SIGCONT');
    await connected();
    t.equal(await isReading(), false, 'a start that was answered by an error does not come later');
  });

  t.test('requests are answered soon, with what is known', async (t) => {
    let soon = false;
    for (let i = 0; i < TRIES && !soon; i++) {
      await connected();
      service.kill('SIGSTOP');
      const began = performance.now();
      const answers = [
        await reader.call('PUT', 'start', {}),
        await reader.call('PUT', 'region', { region: 'etsi-lower' }),
      ];
      soon = performance.now() - began < ANSWER_MS;
      service.kill('SIGCONT');
      for (const answer of answers) {
        t.match(answer, { status: 500, json: { code: 4 } });
        t.match(answer.json.message, /the radio is not connected/);
      }
    }
    t.ok(soon, `both within ${ANSWER_MS} ms`);
    await connected();
    await until('nothing reads', async () => !(await isReading()));
  });

  t.test(
    'a mode that a reading radio did not confirm is not taken, nor in force later',
    async (t) => {
      // Session S0: the tags in the field answer again and again.
      const mode = { type: 'SIMPLE', query: { session: 'S0' } };
      t.equal((await reader.call('PUT', 'mode', mode)).status, 200);
      t.equal((await reader.call('PUT', 'start', {})).status, 200);
      const ofOthers = async () => {
        const { readsByAntenna } = (await radio.getStatus()).counters ?? {};
        const others = Object.entries(readsByAntenna ?? {}).filter(([port]) => port !== '1');
        return others.reduce((sum, [, reads]) => sum + counterToNumber(reads), 0);
      };
      await until('antennas beside the first read', async () => (await ofOthers()) > 0);
      const { inventoryId } = await radio.getStatus();
      service.kill('SIGSTOP');
      const refused = await reader.call('PUT', 'mode', { type: 'INVENTORY', antennas: [1] });
      t.match(refused, { status: 500, json: { code: 4 } });
      t.same((await reader.call('GET', 'mode')).json, mode);
      service.kill('SIGCONT');
      await connected();
      t.equal((await radio.getStatus()).inventoryId, inventoryId, 'it reads on');
      // The radio may have taken up the refused one, and is told again.
      await until('the plan that holds', async () => (await radio.getStatus()).plan > 0);
      const before = await ofOthers();
      await until('all antennas of the mode that holds read', async () => {
        return (await ofOthers()) > before;
      });
    },
  );

  t.test('a stop that is not confirmed says so, and the radio stops when it goes on', async (t) => {
    t.equal(await isReading(), true);
    service.kill('SIGSTOP');
    const answer = await reader.call('PUT', 'stop', {});
    t.match(answer, { status: 500, json: { code: 4, message: /did not confirm the stop/ } });
    t.equal(await connection(), 'disconnected');
    service.kill('SIGCONT');
    await until('it stands', async () => !(await isReading()));
    await connected();
  });
});
