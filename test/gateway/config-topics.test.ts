/** What a reader publishes never comes back to it as a command, and nothing is answered for ever. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { LOG_FOLDER } from '../../src/shared/log-files.js';
import { Listener, logFilesOf, TestBroker, TestReader, temporaryFolder, until } from './reader.js';

const GATEWAY = 'READER-GATEWAY.endpointConfig';

type Section = Record<string, { connections: object[] }>;
type Endpoints = Partial<Record<'data' | 'control' | 'management', Section | null>>;
const change = (endpointConfig: Endpoints) => ({ 'READER-GATEWAY': { endpointConfig } });

/** A connection to a broker of the loopback. */
function mqtt(port: number, publish: string[], subscribe: string[] = [], additional = {}) {
  return {
    type: 'mqtt',
    options: {
      endpoint: { hostName: '127.0.0.1', port, protocol: 'tcp' },
      publishTopic: publish,
      ...(subscribe.length === 0 ? {} : { subscribeTopic: subscribe }),
      additional,
    },
  };
}

t.test('a reader with a broker of its own', async (t) => {
  const broker = new TestBroker();
  await broker.start();
  const listener = new Listener(broker.url, '#');
  await until('the listener is there', () => listener.subscribed);
  const reader = await TestReader.start(t, { broker });
  t.teardown(async () => {
    await reader.gateway.stop();
    listener.client.end(true);
    await broker.stop();
  });
  const { port } = broker;
  const commands = (...connections: object[]) => ({ commandResponse: { connections } });
  const events = (...connections: object[]) => ({ event: { connections } });
  const put = (endpoints: Endpoints) => reader.call('PUT', 'config', change(endpoints));

  const refused: [string, Endpoints, string][] = [
    [
      'one and the same topic',
      { management: commands(mqtt(port, ['site/r1'], ['site/r1'])) },
      `${GATEWAY}.management.commandResponse.connections[0].options.publishTopic[0]: "site/r1" would come back as a command`,
    ],
    [
      'a # that covers the answers',
      { management: commands(mqtt(port, ['site/r1/res'], ['x', 'site/r1/#'])) },
      `${GATEWAY}.management.commandResponse.connections[0].options.subscribeTopic[1] of the same broker is "site/r1/#"`,
    ],
    [
      'a # that covers the level above it',
      { management: commands(mqtt(port, ['x', 'site/r1'], ['site/r1/#'])) },
      'commandResponse.connections[0].options.publishTopic[1]: "site/r1" would come back',
    ],
    [
      'a +',
      { management: commands(mqtt(port, ['site/r1/res'], ['site/+/res'])) },
      '"site/r1/res" would come back',
    ],
    [
      'a shared subscription',
      { management: commands(mqtt(port, ['site/r1'], ['$share/readers/site/+'])) },
      'is "$share/readers/site/+"',
    ],
    [
      'answers of one connection under the commands of another',
      {
        control: commands(mqtt(port, ['c/res'], ['c/req'])),
        management: commands(mqtt(port, ['m/res'], ['c/+'])),
      },
      `${GATEWAY}.control.commandResponse.connections[0].options.publishTopic[0]: "c/res" would come back as a command: ${GATEWAY}.management`,
    ],
    [
      'tag events under commands',
      { data: events(mqtt(port, ['tags'])), control: commands(mqtt(port, ['res'], ['#'])) },
      `${GATEWAY}.data.event.connections[0].options.publishTopic[0]: "tags"`,
    ],
    [
      'management events under commands, with the host by another name',
      {
        management: {
          ...events({
            type: 'mqtt',
            options: { endpoint: `mqtt://localhost:${port}`, publishTopic: ['site/m'] },
          }),
          ...commands(mqtt(port, ['res'], ['site/m'])),
        },
      },
      `${GATEWAY}.management.event.connections[0].options.publishTopic[0]: "site/m"`,
    ],
    [
      'tag events under the commands that the reader came with',
      { data: events(mqtt(port, ['singulate/c-req'])) },
      `"singulate/c-req" would come back as a command: ${GATEWAY}.control.commandResponse.connections[0]`,
    ],
    [
      'what the reader came with under new commands',
      { control: commands(mqtt(port, ['c/res'], ['singulate/+'])) },
      `${GATEWAY}.control.commandResponse.connections[0].options.subscribeTopic[0]: "singulate/+" would take as a command what this reader sends: ${GATEWAY}.data.event.connections[0].options.publishTopic[0]`,
    ],
    [
      'a birth',
      { management: commands(mqtt(port, ['res'], ['req'], { birth: { topic: 'req' } })) },
      'options.additional.birth.topic: "req" would come back',
    ],
    [
      'a will',
      {
        data: events(mqtt(port, ['tags'], [], { will: { topic: 'a/will' } })),
        control: commands(mqtt(port, ['res'], ['a/#'])),
      },
      'options.additional.will.topic: "a/will" would come back',
    ],
  ];
  t.test('an overlap is refused, and changes nothing', async (t) => {
    const before = (await reader.call('GET', 'config')).text;
    for (const [name, endpoints, message] of refused) {
      const { status, json } = await put(endpoints);
      t.equal(status, 400, name);
      t.ok(json.message?.includes(message), `${name}: ${json.message}`);
    }
    const management = commands(mqtt(port, ['a', 'b'], ['a', 'b']));
    const { json } = await reader.call('PUT', 'cloudConfig', { endpointConfig: { management } });
    t.match(json.message, /publishTopic\[0\]: "a" .*publishTopic\[1\]: "b"/, 'all of it at once');
    t.equal((await reader.call('GET', 'config')).text, before);
  });

  t.test('topics that do not meet are taken', async (t) => {
    const taken: Endpoints = {
      data: events(mqtt(port, ['site/r1/tags', '$own/tags'])),
      control: commands(mqtt(port, ['site/r1/res'], ['site/r1/req', '+/r2', '$share/g/x/#'])),
      // Another broker.
      management: commands(mqtt(port + 1, ['site/r1/x'], ['site/r1/req/#', '+/tags'])),
    };
    t.match(await put(taken), { status: 200, text: '' });
    const factory = { data: null, control: null, management: null };
    t.match(await put(factory), { status: 200, text: '' });
  });

  t.test('a message of a reader gets no answer, whatever else it has', async (t) => {
    const own = commands(mqtt(port, ['own/res'], ['own/req']));
    t.equal((await put({ control: own })).status, 200);
    await until('it listens', () =>
      reader.endpoints.some(({ interface: kind, state }) => {
        return kind === 'control' && state === 'connected';
      }),
    );
    const answers = () => listener.on('own/res').map(({ json }) => json.command_id);
    const send = (message: unknown) => listener.client.publish('own/req', JSON.stringify(message));
    for (let ask = 0; answers().length === 0; ask++) {
      send({ command: 'get_version', command_id: `ask ${ask}` });
      await until('an answer', () => answers().length > ask, 1000).catch(() => {});
    }
    const before = answers().length;
    const event = {
      data: { idHex: 'aa' },
      timestamp: '2024-05-06T07:08:09.126+0000',
      type: 'SIMPLE',
    };
    send({ command: 'get_version', command_id: 'answer', response: 'success', payload: {} });
    send({ command: 'get_version', command_id: 'flat answer', response: null });
    send({ response: 'failure', payload: { code: 1, message: 'response: stands beside payload' } });
    send(event);
    send([event, event]);
    send({ command: 'x'.repeat(1_100_000), response: 'failure' });
    listener.client.publish('own/req', '{"command":"a","command":"b","response":"success"}');
    send({ command: 'get_version', command_id: 'last' });
    await until('the answer to the command after them', () => answers().includes('last'));
    t.same(answers().slice(before), ['last']);
  });

  t.test('what is no command is answered a few times, not as often as it comes', async (t) => {
    const failures = () => listener.on('own/res').filter(({ json }) => json.response === 'failure');
    for (let i = 0; i < 50; i++) listener.client.publish('own/req', JSON.stringify({ echo: i }));
    listener.client.publish('own/req', JSON.stringify({ command: 'get_mode', command_id: 'end' }));
    await until('the answer to the command after them', () =>
      listener.on('own/res').some(({ json }) => json.command_id === 'end'),
    );
    const count = failures().length;
    t.ok(count >= 10 && count < 50, `${count} answers`);
  });
});

t.test('two readers that listen to the answers of each other', async (t) => {
  const broker = new TestBroker();
  await broker.start();
  const listener = new Listener(broker.url, '#');
  await until('the listener is there', () => listener.subscribed);
  const pairs = [
    ['one', 'other'],
    ['other', 'one'],
  ] as const;
  const readers = await Promise.all(
    pairs.map(async ([publish, subscribe]) => {
      const reader = await TestReader.start(t);
      const connections = [mqtt(broker.port, [publish], [subscribe])];
      const answer = await reader.call(
        'PUT',
        'config',
        change({ management: { commandResponse: { connections } } }),
      );
      t.equal(answer.status, 200);
      await until('it is connected', () =>
        reader.endpoints.some(({ interface: kind, state }) => {
          return kind === 'management' && state === 'connected';
        }),
      );
      return reader;
    }),
  );
  t.teardown(async () => {
    await Promise.all(readers.map(({ gateway }) => gateway.stop()));
    listener.client.end(true);
    await broker.stop();
  });
  const ask = async (topic: string, id: string) => {
    listener.client.publish(topic, JSON.stringify({ command: 'get_version', command_id: id }));
    await until('the answer', () =>
      listener.messages.some(({ json }) => json.response && json.command_id === id),
    );
  };
  await ask('other', 'first');
  await ask('one', 'second');
  // An answer to an answer would be on its way before these.
  await ask('other', 'third');
  await ask('one', 'fourth');
  t.equal(listener.messages.filter(({ json }) => json.response).length, 4);
});

t.test('a config.json of before these rules', async (t) => {
  const broker = new TestBroker();
  await broker.start();
  const listener = new Listener(broker.url, '#');
  await until('the listener is there', () => listener.subscribed);
  const stateDir = temporaryFolder(t);
  mkdirSync(stateDir, { recursive: true });
  const { port } = broker;
  const stored = {
    'READER-GATEWAY': {
      batching: { reportingInterval: 3_000_000_000, maxPayloadSizePerReport: '2MB' },
      endpointConfig: {
        data: {
          event: { connections: [{ ...mqtt(port, []), name: 'nowhere' }] },
        },
        management: {
          commandResponse: {
            connections: [mqtt(port, ['site/r1/res'], ['site/r1/#'], { reconnectDelayMax: 1e9 })],
          },
          event: {
            connections: [{ ...mqtt(port, ['m/#'], [], { cleanSession: false }), name: 'never' }],
          },
        },
      },
    },
  };
  writeFileSync(join(stateDir, 'config.json'), JSON.stringify(stored));
  const reader = await TestReader.start(t, { stateDir, logFiles: logFilesOf(t, stateDir) });
  t.teardown(async () => {
    await reader.gateway.stop();
    listener.client.end(true);
    await broker.stop();
  });

  await t.test('keeps the connection that answered itself, which does so no more', async (t) => {
    const management = () => reader.endpoints.find(({ interface: kind }) => kind === 'management');
    await until('it is connected', () => management()?.state === 'connected');
    const ask = async (id: string) => {
      const text = JSON.stringify({ command: 'get_version', command_id: id });
      listener.client.publish('site/r1/req', text);
      await until('the answer', () =>
        listener.messages.some(({ json }) => json.response && json.command_id === id),
      );
    };
    for (const id of ['1', '2', '3']) await ask(id);
    t.equal(listener.on('site/r1/res').length, 3);
  });

  await t.test('says in the status what is wrong with each connection', async (t) => {
    const error = (name: string) => reader.endpoints.find((one) => one.name === name)?.error;
    t.match(error('#1'), /publishTopic\[0\]: "site\/r1\/res" would come back as a command/);
    t.match(error('nowhere'), /publishTopic: needs at least 1 entry/);
    t.match(error('never'), /publishTopic\[0\]: "m\/#" has a wildcard/);
    t.match(error('never'), /additional\.clientId: is required with cleanSession false/);
  });

  await t.test('says in the log what is wrong, and what was taken instead', async (t) => {
    const folder = join(stateDir, LOG_FOLDER);
    const log = readdirSync(folder)
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .join('');
    t.match(log, /batching\.reportingInterval: 3000000000 is above the maximum of 2147483647/);
    t.match(
      log,
      /batching\.maxPayloadSizePerReport: .{0,2}2MB.{0,2} is above the maximum of 1000000/,
    );
    t.match(log, /reconnectDelayMax: 1000000000 is above the maximum of 86400/);
    t.match(log, /"level":"?error.*would come back as a command/);
    const { json } = await reader.call('GET', 'config');
    t.same(json['READER-GATEWAY'].batching, {
      reportingInterval: 2_147_483_647,
      maxPayloadSizePerReport: 1_000_000,
    });
  });
});
