/** A radio service that goes on to send, and answers nothing: what it sends is no answer. */
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { RadioPulse } from '../../src/reader-gateway/radio/radio-pulse.js';
import { until } from './reader.js';

const never = () => new Promise<never>(() => {});

t.test('calls end within 3 s of each other, all of them; an answer ends the silence', async (t) => {
  let answers = false;
  const told: string[] = [];
  const pulse: RadioPulse = new RadioPulse({
    probe: async () => {
      if (!answers) return never();
      pulse.answered();
    },
    onSilent: () => told.push('silent'),
    onHeard: () => told.push('heard'),
  });
  pulse.open();
  const sending = setInterval(() => pulse.heard(), 50);
  t.teardown(() => {
    clearInterval(sending);
    pulse.close();
  });
  await t.rejects(pulse.ask(never), { code: 'UNAVAILABLE' });
  t.equal(pulse.isSilent, true);
  let called = 0;
  const count = async () => {
    called += 1;
  };
  await t.rejects(pulse.ask(count), { code: 'UNAVAILABLE' }, 'the next one does not wait');
  await sleep(500);
  t.equal(pulse.isSilent, true, 'whatever it sends');
  t.equal(called, 0);
  answers = true;
  await until('it answers', () => !pulse.isSilent, 10_000);
  await pulse.ask(count);
  t.equal(called, 1);
  t.same([told[0], told.at(-1)], ['silent', 'heard']);
});
