/** Inputs and outputs over REST and MQTT. */
import t from 'tap';
import { FakeRadio } from './fake-radio.js';
import { Listener, radioTarget, TestBroker, TestReader, temporaryFolder, until } from './reader.js';

t.test('one reader', async (t) => {
  const stateDir = temporaryFolder(t);
  const radio = new FakeRadio();
  await radio.listen(radioTarget(stateDir));
  const broker = new TestBroker();
  await broker.start();
  const listener = new Listener(broker.url, 'singulate/m-res');
  await until('the listener is there', () => listener.subscribed);
  const reader = await TestReader.start(t, { stateDir, radio, broker });
  t.teardown(async () => {
    await reader.gateway.stop();
    listener.client.end(true);
    await broker.stop();
    radio.kill();
  });
  await until('the command connections', () =>
    reader.endpoints.some((one) => one.interface === 'management' && one.state === 'connected'),
  );
  await until('the levels are known', async () => (await reader.call('GET', 'gpi')).status === 200);
  let lastId = 0;
  const ask = async (message: object) => {
    const command_id = `id ${++lastId}`;
    listener.client.publish('singulate/m-req', JSON.stringify({ ...message, command_id }));
    const answer = () => listener.messages.find(({ json }) => json.command_id === command_id)?.json;
    await until('the answer', answer);
    return answer();
  };

  t.test('the levels of inputs are those of the radio service, by port', async (t) => {
    t.strictSame((await reader.call('GET', 'gpi')).json, { 1: 'HIGH', 2: 'HIGH' });
    radio.input(2, false);
    await until('the change has come', async () => {
      const { json } = await reader.call('GET', 'gpi');
      return json[2] === 'LOW';
    });
    t.match(await ask({ command: 'get_gpi_status', payload: {} }), {
      response: 'success',
      payload: { 1: 'HIGH', 2: 'LOW' },
    });
  });

  t.test('an output is set by each door, and read back', async (t) => {
    const answer = await reader.call('PUT', 'gpo', { port: 2, state: true });
    t.match(answer, { status: 200, text: '' });
    t.strictSame(radio.outputs, [false, true, false]);
    await until('it is read back', async () => {
      const { json } = await reader.call('GET', 'gpo');
      return json[2] === 'HIGH';
    });
    t.match(await ask({ command: 'set_gpo', payload: { port: 2, state: false } }), {
      response: 'success',
      payload: {},
    });
    t.strictSame(radio.outputs, [false, false, false]);
    t.match(await ask({ command: 'set_gpo', port: 3, state: true }), { response: 'success' });
    t.strictSame(radio.outputs, [false, false, true], 'a flat message');
    // The key that the interface shows beside them.
    await reader.call('PUT', 'gpo', { command: 'set_gpo', port: 3, state: false });
    await until('the radio has it', () => radio.outputs[2] === false);
    await until('it is told', async () => {
      const { payload } = await ask({ command: 'get_gpo_status', payload: {} });
      return payload[3] === 'LOW' && payload[2] === 'LOW';
    });
  });

  t.test('a wrong request names its fields and changes nothing', async (t) => {
    for (const [body, message] of [
      [{ port: 4, state: true }, /^port: 4 is not one of 1, 2, 3$/],
      [{ port: 0, state: true }, /^port: 0 is below the minimum of 1$/],
      [{ port: 1.5, state: true }, /^port: 1.5 is not an integer$/],
      [{ port: 1, state: 'HIGH' }, /^state: "HIGH" is not true or false$/],
      [{}, /^port: is required; state: is required$/],
      [
        { command: 'set_mode', port: 1, state: true },
        /^command: "set_mode" is not one of set_gpo$/,
      ],
    ] as const) {
      const { status, json } = await reader.call('PUT', 'gpo', body);
      t.equal(status, 400);
      t.match(json, { code: 1, message });
    }
    t.strictSame(radio.outputs, [false, false, false]);
  });

  t.test('the capabilities count the lines', async (t) => {
    const { json } = await reader.call('GET', 'readerCapabilities');
    t.match(json.capabilities, { numGPIs: 2, numGPOs: 3 });
  });

  t.test('lines whose hardware is gone are an error, not an old level', async (t) => {
    radio.breakLines('/dev/gpiochip0: the chip is gone: No such device');
    await until('it is told', async () => (await reader.call('GET', 'gpo')).status === 500);
    const gone = { status: 500, json: { code: 4, message: /the chip is gone: No such device$/ } };
    t.match(await reader.call('GET', 'gpi'), gone);
    t.match(await reader.call('GET', 'gpo'), gone);
    t.match(await reader.call('PUT', 'gpo', { port: 1, state: true }), gone);
    radio.breakLines('');
    await until('it is back', async () => (await reader.call('GET', 'gpo')).status === 200);
  });

  t.test('without the radio service the levels are not known', async (t) => {
    radio.kill();
    await until('it is gone', async () => (await reader.call('GET', 'gpi')).status === 500);
    const gone = { status: 500, json: { code: 4, message: 'the radio is not connected' } };
    t.match(await reader.call('GET', 'gpo'), gone);
    t.match(await reader.call('PUT', 'gpo', { port: 1, state: true }), gone);
    const again = new FakeRadio();
    again.outputs[0] = true;
    await again.listen(radioTarget(stateDir));
    t.teardown(() => again.kill());
    await until('it is back', async () => (await reader.call('GET', 'gpo')).status === 200);
    t.strictSame((await reader.call('GET', 'gpo')).json, { 1: 'HIGH', 2: 'LOW', 3: 'LOW' });
  });
});
