/** GPIO-LED of a whole gateway: where its events come from, and both doors to its settings. */
import t from 'tap';
import { FakeLines } from './fake-lines.js';
import { read } from './fake-radio.js';
import { Listener, TestBroker, TestReader, until } from './reader.js';

/** As the OpenAPI document has it. */
interface Parameter {
  in: string;
  name: string;
  schema: { type: string };
}

/** A model with 2 inputs and 3 outputs. */
const lines = () => new FakeLines(Date.now, 2, 3);
const gpo = (pin: number, state = 'HIGH') => ({ type: 'GPO', pin, state });

t.test('what happens to the reader is an event of its triggers', async (t) => {
  const broker = new TestBroker();
  await broker.start();
  t.teardown(() => broker.stop());
  const board = lines();
  const reader = await TestReader.start(t, { broker, lines: board });
  t.teardown(() => reader.gateway.stop());
  const set = async (part: object) => {
    t.match(await reader.call('PUT', 'config', { 'GPIO-LED': part }), { status: 200, text: '' });
  };
  const level = (port: number) => board.gpos.get(port);
  await set({
    GPODefaults: { 3: 'HIGH' },
    RADIO_START: [gpo(1)],
    RADIO_STOP: [gpo(1, 'LOW')],
    TAG_READ: [
      {
        ...gpo(2),
        postActionState: 'LOW',
        blink: { ON: 50, OFF: 50, DURATION: 100 },
        conditions: ['IS_RADIO_ONGOING'],
      },
    ],
    GPIDebounce: { 2: 10 },
    GPI_2_H: [gpo(3, 'LOW')],
    GPI_2_L: [gpo(3)],
  });
  await until('the default', () => level(3) === 'HIGH');

  t.test('start and stop of reading', async (t) => {
    t.equal((await reader.call('PUT', 'start')).status, 200);
    await until('RADIO_START', () => level(1) === 'HIGH');
    t.equal((await reader.call('PUT', 'stop')).status, 200);
    await until('RADIO_STOP', () => level(1) === 'LOW');
  });

  t.test('reading that ends by itself', async (t) => {
    await reader.call('PUT', 'start');
    await until('RADIO_START', () => level(1) === 'HIGH');
    reader.radio.end('duration');
    await until('RADIO_STOP', () => level(1) === 'LOW');
    t.pass();
  });

  t.test('reads, which never wait for the actions', async (t) => {
    await reader.call('PUT', 'start');
    await until('reading', () => reader.radio.isReading);
    board.writes.length = 0;
    for (let index = 0; index < 200; index++) reader.radio.send(read('E200001122334455'));
    const writes = () => board.writes.filter(({ port }) => port === 2).map((one) => one.level);
    await until('the end of the blink', () => writes().length >= 2 && level(2) === 'LOW');
    t.equal(writes()[0], 'HIGH');
    await reader.call('PUT', 'stop');
    t.ok(writes().length < 100, `${writes().length} writes for 200 reads`);
  });

  t.test('inputs', async (t) => {
    board.input(2, 'HIGH');
    await until('GPI_2_H', () => level(3) === 'LOW');
    board.input(2, 'LOW');
    await until('GPI_2_L', () => level(3) === 'HIGH');
    t.pass();
  });

  t.test('the connection to a broker, which is not the one that the reader brings', async (t) => {
    await until('the own broker', () => {
      return reader.endpoints.some(({ state }) => state === 'connected');
    });
    await set({ CLOUD_CONNECT: [gpo(1)], CLOUD_DISCONNECT: [gpo(1, 'LOW')] });
    const cloud = new TestBroker();
    await cloud.start();
    t.teardown(() => cloud.stop());
    t.equal(level(1), 'LOW');
    const connection = {
      type: 'mqtt',
      name: 'cloud',
      options: {
        endpoint: { hostName: '127.0.0.1', port: cloud.port, protocol: 'tcp' },
        enableSecurity: false,
        additional: { reconnectDelay: 1, reconnectDelayMax: 1 },
        publishTopic: ['tags'],
      },
    };
    const endpointConfig = { data: { event: { connections: [connection] } } };
    const answer = await reader.call('PUT', 'config', { 'READER-GATEWAY': { endpointConfig } });
    t.equal(answer.status, 200, answer.text);
    await until('CLOUD_CONNECT', () => level(1) === 'HIGH');
    await cloud.stop();
    await until('CLOUD_DISCONNECT', () => level(1) === 'LOW');
    await cloud.start();
    await until('CLOUD_CONNECT again', () => level(1) === 'HIGH');
  });

  t.test('a start of the service, which finds the defaults of before', async (t) => {
    await reader.gateway.stop();
    const fresh = lines();
    const { stateDir, radio } = reader;
    const next = await TestReader.start(t, { stateDir, radio, lines: fresh });
    await until('the default', () => fresh.gpos.get(3) === 'HIGH');
    await next.gateway.stop();
    t.same(
      fresh.writes.map(({ port }) => port),
      [3],
      'and touches nothing else',
    );
  });
});

t.test('settings', async (t) => {
  const broker = new TestBroker();
  await broker.start();
  const listener = new Listener(broker.url, '#');
  const board = lines();
  const reader = await TestReader.start(t, { broker, lines: board });
  t.teardown(async () => {
    await reader.gateway.stop();
    listener.client.end(true);
    await broker.stop();
  });
  await until('the listener is there', () => listener.subscribed);
  await until('the command connections', () => {
    const commands = reader.endpoints.filter((one) =>
      ['control', 'management'].includes(one.interface),
    );
    return commands.length === 2 && commands.every(({ state }) => state === 'connected');
  });
  let lastId = 0;
  const ask = async (command: string, payload: object) => {
    const id = `id ${++lastId}`;
    const found = () =>
      listener.messages.find(({ json }) => json.command_id === id && json.response);
    listener.client.publish(
      'singulate/m-req',
      JSON.stringify({ command, command_id: id, payload }),
    );
    await until(`the answer to ${command}`, found);
    return found()?.json;
  };
  const good = { GPODefaults: { 1: 'HIGH' }, GPI_1_H: [gpo(2)] };

  t.test('of GPIO-LED alone, by both doors, are those of the configuration', async (t) => {
    t.match(await reader.call('PUT', 'gpioLed', good), { status: 200, text: '' });
    await until('the default', () => board.gpos.get(1) === 'HIGH');
    t.match(await ask('set_gpio_led_config', { GPODefaults: { 1: 'LOW' } }), {
      response: 'success',
    });
    await until('the default', () => board.gpos.get(1) === 'LOW');
    const both = { ...good, GPODefaults: { 1: 'LOW' } };
    t.same((await reader.call('GET', 'gpioLed')).json, both);
    t.same((await ask('get_gpio_led_config', {})).payload, both);
    t.same((await reader.call('GET', 'config')).json['GPIO-LED'], both);
  });

  t.test(
    'that cannot be are refused, all at once, by their names, and change nothing',
    async (t) => {
      const before = (await reader.call('GET', 'gpioLed')).json;
      const writes = board.writes.length;
      const blink = { ON: 5, OFF: 0, DURATION: 100 };
      const wrong = {
        GPODefaults: { 1: 'HIGH', 4: 'LOW' },
        GPIDebounce: { 3: 10 },
        GPI_3_H: [gpo(1)],
        TAG_READ: [gpo(4), { ...gpo(1), blink }, { ...gpo(1), blink: { ...blink, ON: 0 } }],
      };
      const messages = [
        'GPODefaults[4]: 4 is not one of the outputs of this reader, 1 to 3',
        'GPIDebounce[3]: 3 is not one of the inputs of this reader, 1 to 2',
        'GPI_3_H: 3 is not one of the inputs of this reader, 1 to 2',
        'TAG_READ[0].pin: 4 is not one of the outputs of this reader, 1 to 3',
        'TAG_READ[1].blink.ON: 5 is neither 0 nor at least 10',
        'TAG_READ[2].blink: ON and OFF must not both be 0',
      ];
      const direct = await reader.call('PUT', 'gpioLed', wrong);
      t.same(direct.json, { code: 1, message: messages.join('; ') });
      t.equal(direct.status, 400);
      const whole = await reader.call('PUT', 'config', { xml: '<new/>', 'GPIO-LED': wrong });
      t.same(
        whole.json.message.split('; '),
        messages.map((one) => `GPIO-LED.${one}`),
      );
      const byMqtt = await ask('set_gpio_led_config', wrong);
      t.match(byMqtt, { response: 'failure', payload: { code: 1, message: messages.join('; ') } });

      t.match((await reader.call('PUT', 'gpioLed', { GPODefaults: { 9: 'LOW' } })).json, {
        code: 1,
        message: 'GPODefaults[9]: is not known here; known are 1 to 4',
      });

      for (const [action, message] of [
        [
          { ...gpo(1), conditions: ['IS_RADIO_ONGOING', 'IS_RAINING'] },
          /^TAG_READ\[0\]\.conditions\[1\]: "IS_RAINING" is not one of IS_CLOUD_CONNECTED, ~IS_CLOUD/,
        ],
        [
          { ...gpo(1), conditions: { operator: 'xor' } },
          /conditions\.operator: "xor" is not one of and, or/,
        ],
        [{ ...gpo(1), conditions: { operator: 'or' } }, /conditions\.operands: is required/],
        [
          { ...gpo(1), conditions: 'IS_RADIO_ONGOING' },
          /conditions: .* is not an array or an object/,
        ],
        [{ ...gpo(1), blink: { ON: 10, OFF: 10 } }, /blink\.DURATION: is required/],
      ] as const) {
        const answer = await reader.call('PUT', 'gpioLed', { TAG_READ: [action] });
        t.match(answer, { status: 400, json: { code: 1, message } });
      }
      t.same((await reader.call('GET', 'gpioLed')).json, before);
      t.not((await reader.call('GET', 'config')).json.xml, '<new/>');
      t.equal(board.writes.length, writes);
    },
  );

  t.test(
    'the metrics have the level of each output of the reader, no matter who set it',
    async (t) => {
      const metrics = async () => (await reader.call('GET', 'metrics')).text;
      const levels = async () => {
        const state = /singulate_output_state\{output="GPO (\d)",state="(\w+)"\} 1/g;
        return [...(await metrics()).matchAll(state)].map(([, port, level]) => `${port} ${level}`);
      };
      const ofBoard = () => [...board.gpos].map(([port, level]) => `${port} ${level}`);
      const counted = (await metrics()).match(/output_failures_total\{output="GPO \d"/g);
      t.equal(counted?.length, board.gpos.size);
      t.same(await levels(), ofBoard());
      for (const level of ['HIGH', 'LOW'] as const) {
        await board.setGpo(3, level);
        t.same((await levels()).at(-1), `3 ${level}`);
      }
    },
  );

  t.test('of the application LED come in the query string, in the body or by MQTT', async (t) => {
    const state = async () => (await reader.call('GET', 'app-led')).text;
    const shown = async () => {
      const { text } = await reader.call('GET', 'metrics');
      return /singulate_output_state\{output="LED 3",state="(\w+)"\} 1/.exec(text)?.[1];
    };
    t.equal(await state(), 'DEFAULT');
    const answer = await reader.call('PUT', 'app-led?color=red&seconds=600&flash=false');
    t.match(answer, { status: 200, text: 'The application LED is red for 600 s' });
    t.match(answer.headers, { 'content-type': /^text\/plain/ });
    t.equal(await state(), 'NON_DEFAULT');
    t.equal(await shown(), 'RED');
    const body = { color: 'green', seconds: 1 };
    t.match(await reader.call('PUT', 'app-led', body), { status: 200 });
    t.equal(await shown(), 'GREEN');
    await until('the default', async () => (await state()) === 'DEFAULT');
    t.match(await ask('set_appled', { color: 'amber', seconds: 60, flash: true }), {
      response: 'success',
      payload: 'The application LED is flashing amber for 60 s',
    });
    t.match(await ask('get_appled', {}), { response: 'success', payload: 'NON_DEFAULT' });
    t.match(await reader.call('PUT', 'app-led?seconds=0', { color: 'off' }), { status: 200 });
    t.equal(await shown(), 'OFF');
    t.equal(await state(), 'DEFAULT');
  });

  t.test('of the application LED that cannot be name their fields', async (t) => {
    for (const [path, body, message] of [
      [
        'app-led?color=blue&seconds=1',
        undefined,
        'color: "blue" is not one of red, amber, green, off',
      ],
      [
        'app-led?color=red&seconds=0',
        undefined,
        'color: "red" with seconds 0: only off is allowed',
      ],
      ['app-led?color=red', undefined, 'seconds: is required'],
      ['app-led?color=red&seconds=ten', undefined, 'seconds: "ten" is not an integer'],
      ['app-led?color=red&seconds=', undefined, 'seconds: "" is not an integer'],
      ['app-led?color=red&seconds=1&flash=yes', undefined, 'flash: "yes" is not true or false'],
      ['app-led?color=red&seconds=1.5', undefined, 'seconds: 1.5 is not an integer'],
      ['app-led?color=red&seconds=-1', undefined, 'seconds: -1 is below the minimum of 0'],
      ['app-led?color=red&color=green&seconds=1', undefined, 'color: is given more than once'],
      [
        'app-led?colour=red&led=3',
        undefined,
        'colour: is not one of the fields color, seconds, flash; led: is not one of the fields color, seconds, flash',
      ],
      [
        'app-led?color=red&seconds=1',
        { color: 'green' },
        'color: "green" is not the "red" of the query',
      ],
      ['app-led', { color: 'red', seconds: '1' }, 'seconds: "1" is not an integer'],
    ] as const) {
      const answer = await reader.call('PUT', path, body);
      t.same({ status: answer.status, ...answer.json }, { status: 400, code: 1, message }, path);
    }
  });

  t.test('are what the capabilities say', async (t) => {
    t.match((await reader.call('GET', 'readerCapabilities')).json.capabilities, {
      maxAppLEDs: 3,
      appLedColors: ['RED', 'AMBER', 'GREEN'],
    });
    const { json } = await reader.call('GET', 'openapi.json');
    const { parameters } = json.paths['/cloud/app-led'].put;
    t.same(
      (parameters as Parameter[]).map((one) => `${one.in} ${one.name} ${one.schema.type}`),
      ['query color string', 'query seconds integer', 'query flash boolean'],
    );
  });
});
