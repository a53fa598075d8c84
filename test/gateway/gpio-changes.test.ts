/** Changes of inputs and outputs, for those parts of the gateway that act on them. */
import t, { type Test } from 'tap';
import { RadioLines } from '../../src/reader-gateway/io/radio-lines.js';
import { createLogger } from '../../src/shared/log.js';
import { FakeRadio } from './fake-radio.js';
import { radioTarget, temporaryFolder, until } from './reader.js';

const log = createLogger('test', { fd: 2, level: 'silent' });

async function fake(t: Test, target: string): Promise<FakeRadio> {
  const radio = new FakeRadio();
  await radio.listen(target);
  t.teardown(() => radio.kill());
  return radio;
}

t.test('the first levels are no changes; then each change is told, in order', async (t) => {
  const target = radioTarget(temporaryFolder(t));
  const radio = await fake(t, target);
  radio.outputs[1] = true;
  const lines = new RadioLines(target, log);
  t.teardown(() => lines.close());
  t.equal(lines.gpis.size, 0, 'nothing is known yet');
  t.not(lines.trouble, '');
  await t.rejects(lines.setGpo(1, 'HIGH'), { code: 'UNAVAILABLE' });
  const changes: string[] = [];
  lines.onChange(() => {
    throw new Error('a listener that fails');
  });
  const end = lines.onChange(({ kind, port, level }) => {
    changes.push(`${kind} ${port} ${level}`);
  });
  await until('the levels are known', () => lines.trouble === '');
  t.strictSame(
    [...lines.gpis],
    [
      [1, 'HIGH'],
      [2, 'HIGH'],
    ],
  );
  t.strictSame(
    [...lines.gpos],
    [
      [1, 'LOW'],
      [2, 'HIGH'],
      [3, 'LOW'],
    ],
  );
  t.strictSame(changes, []);
  radio.input(1, false);
  radio.input(1, true);
  await lines.setGpo(3, 'HIGH');
  // Not from here: another client of the radio service.
  radio.output(2, false);
  await until('all changes', () => changes.length === 4);
  t.strictSame(changes, ['gpi 1 LOW', 'gpi 1 HIGH', 'gpo 3 HIGH', 'gpo 2 LOW']);
  end();
  radio.input(2, false);
  await until('it came', () => lines.gpis.get(2) === 'LOW');
  t.equal(changes.length, 4, 'who has ended hears nothing');
  await t.rejects(lines.setGpo(4, 'HIGH'), {
    code: 'INVALID',
    message: /^port: 4 is not one of 1/,
  });
});

t.test('what moved while the radio service was away is told when it is back', async (t) => {
  const target = radioTarget(temporaryFolder(t));
  const first = await fake(t, target);
  const lines = new RadioLines(target, log);
  t.teardown(() => lines.close());
  await until('the levels are known', () => lines.trouble === '');
  const changes: string[] = [];
  lines.onChange(({ kind, port, level }) => void changes.push(`${kind} ${port} ${level}`));
  first.kill();
  await until('it is gone', () => lines.trouble === 'the radio is not connected');
  t.equal(lines.gpis.get(2), 'HIGH', 'the last levels stay');
  const second = new FakeRadio();
  second.inputs[1] = false;
  second.outputs.pop();
  await second.listen(target);
  t.teardown(() => second.kill());
  await until('it is back', () => lines.trouble === '');
  t.strictSame(changes, ['gpi 2 LOW']);
  t.strictSame([...lines.gpos.keys()], [1, 2], 'a line that is not there any more is forgotten');
});

t.test('a radio service that was restarted gets its outputs set again', async (t) => {
  const target = radioTarget(temporaryFolder(t));
  const first = await fake(t, target);
  const lines = new RadioLines(target, log);
  t.teardown(() => lines.close());
  await until('the levels are known', () => lines.trouble === '');
  await lines.setGpo(1, 'HIGH');
  await lines.setGpo(3, 'HIGH');
  first.output(3, false);
  await until('another client has the last word', () => lines.gpos.get(3) === 'LOW');
  first.kill();
  const second = await fake(t, target);
  await until('it is set', () => second.outputs[0] === true);
  t.same(second.outputs, [true, false, false]);
});

t.test('it also waits for a radio service that starts later', async (t) => {
  const target = radioTarget(temporaryFolder(t));
  const lines = new RadioLines(target, log);
  t.teardown(() => lines.close());
  await until('it has tried', () => lines.trouble !== '');
  await fake(t, target);
  await until('the levels are known', () => lines.gpis.size === 2);
  t.equal(lines.trouble, '');
});
