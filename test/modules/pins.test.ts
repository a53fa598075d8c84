/** Pins of a radio module are the inputs and outputs of the reader. */
import t from 'tap';
import { Line, RadioState } from '../../src/contract/messages.js';
import { emulated, radioOn, until } from './emulated.js';

t.test('pins of the module are lines of the reader, also while it reads', async (t) => {
  const { path, emulator } = await emulated(t);
  const { client } = await radioOn(t, `${path},gpi=1,gpo=3+4`);
  const status = () => client.getStatus();
  await until(
    async () => (await status()).state === RadioState.RADIO_STATE_IDLE,
    'the module is connected',
  );
  const input = async () => {
    const { lines } = await client.getLines();
    return lines.find(({ kind }) => kind === Line.Kind.INPUT);
  };
  await until(async () => (await input())?.high === false, 'the level of the module is known');
  t.match((await client.getLines()).lines, [
    { kind: Line.Kind.INPUT, port: 1, hardware: true },
    { kind: Line.Kind.OUTPUT, port: 1, high: false, hardware: true },
    { kind: Line.Kind.OUTPUT, port: 2, high: false, hardware: true },
  ]);
  await t.rejects(client.setInput({ port: 1, high: true }), { code: 9 }, 'it moves by itself');
  await t.rejects(client.setOutput({ port: 3, high: true }), { code: 3 }, 'there is none');

  t.ok(emulator.inject('input-1-high'));
  await client.setOutput({ port: 2, high: true });
  await until(async () => (await input())?.high === true, 'the input is seen');
  await until(() => emulator.counters().pins === 0b1001, 'the output is set');

  await client.startInventory({
    plan: { antennas: [{ port: 1 }], start: { inputs: [{ port: 1, high: false }] } },
  });
  await until(async () => (await status()).waiting === true, 'the input is waited for');
  t.ok(emulator.inject('input-1-low'));
  await until(async () => !(await status()).waiting, 'the input starts the reading');
  await client.setOutput({ port: 1, high: true });
  await until(() => emulator.counters().pins === 0b1100, 'outputs are set while it reads');
  await client.stopInventory();
});
