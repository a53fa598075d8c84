/** Requests with more in them than the interface has, by both doors. */
import t from 'tap';
import { show } from '../../src/reader-gateway/api/show.js';
import { Commands } from '../../src/reader-gateway/mqtt/commands.js';
import { OPERATIONS } from '../../src/reader-gateway/operations/table.js';
import { TestReader } from './reader.js';
import { silent } from './updates.js';

/** As many as fit into a body. */
const MANY = 150_000;
const DEEP = 400_000;

t.test('one reader', async (t) => {
  const reader = await TestReader.start(t);
  t.teardown(() => reader.gateway.stop());
  const commands = new Commands(OPERATIONS, reader.gateway.context, silent);
  const put = (path: string, body: unknown) => reader.call('PUT', path, body);
  const command = async (text: string) =>
    JSON.parse((await commands.run(Buffer.from(text))).message);

  t.test('an unknown field is named with its path, wherever it is', async (t) => {
    const httpPost = {
      type: 'httpPost',
      options: { URL: 'http://127.0.0.1/', publishTopic: ['of another type'] },
      also: 1,
    };
    const event = { connections: [httpPost] };
    const config = {
      'READER-GATEWAY': {
        endpointConfig: { data: { event } },
        managementEventConfig: { heartbeat: { interval: 1, fields: { userDefined: { a: 1 } } } },
      },
      'GPIO-LED': { TAG_READ: [{ type: 'LED', led: 1, color: 'RED', pin: 1 }] },
    };
    const { status, json } = await put('config', config);
    t.equal(status, 400);
    const at = 'READER-GATEWAY\\.endpointConfig\\.data\\.event\\.connections\\[0\\]';
    t.match(json.message, new RegExp(`${at}\\.also: is not known here; known are .*type`));
    t.match(json.message, new RegExp(`${at}\\.options\\.publishTopic: is not known here`));
    t.match(json.message, /GPIO-LED\.TAG_READ\[0\]\.pin: is not known here/);
    t.notMatch(json.message, /userDefined|heartbeat|color:|led:/);
    const access = [{ type: 'READ', config: { membank: 'TID', wordPointer: 0, wordCount: 1 } }];
    const answer = await put('mode', { type: 'SIMPLE', access });
    t.equal(answer.status, 400, 'what changes tags must not be misunderstood');
    t.match(
      answer.json.message,
      /access\[0\]\.config\.wordCount: .*membank, wordPointer, wordCounter/,
    );
  });

  t.test('an unknown field of a mode does not fail it, and is told', async (t) => {
    const query = { tagpopulation: 5, session: 'S1' };
    const target = { target: 'S1', action: 'INVA_INVB' };
    const select = { ...target, membank: 'EPC', pointer: 32, length: 16, mask: 'a1b2' };
    const known = { type: 'CUSTOM', query, selects: [select] };
    const mode = {
      ...{ ...known, somethingNew: { a: 1 } },
      query: { ...query, q: 4 },
      selects: [{ ...select, weight: 1 }],
    };
    t.match(await put('mode', mode), { status: 200 });
    t.same((await reader.call('GET', 'mode')).json, known, 'what has no effect is not kept');
    const { json } = await reader.call('POST', 'mode', mode);
    t.match(json.ignored, [
      /^somethingNew is not known here; known are type/,
      /^query\.q is not known here; known are/,
      /^selects\[0\]\.weight is not known here/,
    ]);
    t.notOk('ignored' in (await reader.call('POST', 'mode', known)).json);
  });

  t.test('an operation without fields takes none', async (t) => {
    t.match((await put('stop', { doNotPersistState: true })).json, {
      code: 1,
      message: 'doNotPersistState: is not known here; there are no fields',
    });
    t.equal((await put('stop', {})).status, 200);
    t.equal((await put('stop', '')).status, 200);
  });

  t.test('fields beside the payload of a command are not lost', async (t) => {
    const text = JSON.stringify({ command: 'start', payload: {}, doNotPersistState: false });
    t.match((await command(text)).payload, {
      code: 1,
      message: /^doNotPersistState: stands beside/,
    });
  });

  t.test('the contract says that requests are closed', async (t) => {
    const { json } = await reader.call('GET', 'openapi.json');
    const { Start, OperatingMode, Statistics } = json.components.schemas;
    t.equal(Start.additionalProperties, false);
    t.equal(OperatingMode.properties.query.additionalProperties, false);
    t.equal(Statistics.additionalProperties, undefined, 'answers may grow');
  });

  t.test('values that no field may hold', async (t) => {
    const fields: [string, RegExp][] = [
      ['{"name":"a\\u0000","description":""}', /^name: has a NUL/],
      ['{"name":"\\ud800","description":""}', /^name: is not Unicode/],
      ['{"name":"a","description":"","a\\nb":1}', /^\["a\\nb"\]: is not known/],
      ['{"name":"a","description":"","":1}', /^\[""\]: is not known/],
      ['{"name":"a","description":"","__proto__":{}}', /^__proto__: is not known|forbidden/],
    ];
    for (const [body, message] of fields) {
      const { payload } = await command(`{"command":"set_name_and_description","payload":${body}}`);
      t.match(payload, { code: 1, message });
    }
  });

  t.test('what is nested too deeply is refused by both doors', async (t) => {
    const deep = `${'['.repeat(DEEP)}${']'.repeat(DEEP)}`;
    const { status, json } = await put('mode', `{"type":${deep}}`);
    t.equal(status, 400);
    t.match(json.message, /^type\[0\].*: is nested deeper than 64 levels$/);
    for (const text of [`{"command_id":${deep}}`, `{"command":${deep}}`]) {
      t.match((await command(text)).payload, { code: 1, message: /nested deeper/ });
    }
    t.equal((await command('{"command":"get_mode"}')).response, 'success', 'and it goes on');
  });

  t.test('thousands of faults are answered soon, and in a short message', async (t) => {
    const components = Array.from({ length: MANY }, () => 1);
    const begun = Date.now();
    const { status, json } = await put('logs', { components });
    t.equal(status, 400);
    t.match(json.message, /^components\[0\]: 1 is not an object; .*; and 149950 more$/);
    t.ok(json.message.length < 10_000);
    t.ok(Date.now() - begun < 20_000, `${Date.now() - begun} ms`);
  });

  t.test('a type that is no text cannot be made one', async (t) => {
    for (const type of [{ toString: [] }, 'toString', 'constructor', null]) {
      const { status, json } = await put('mode', { type, modeSpecificSettings: { a: 1 } });
      t.equal(status, 400);
      t.match(json, { code: 1, message: /(^|; )type: .* is not / });
    }
  });

  t.test('lists for all antennas and lists for each do not mix', async (t) => {
    const select = { target: 'S0', action: 'INVA_INVB', membank: 'EPC', pointer: 0 };
    const whole = { ...select, length: 0, mask: '' };
    t.match((await put('mode', { type: 'SIMPLE', select: [[], whole] })).json, {
      code: 1,
      message: /^select\[1\]: is not a list, as the first is/,
    });
    const access = [{ type: 'KILL', config: { password: '00000001' } }, []];
    t.match((await put('mode', { type: 'SIMPLE', access })).json, {
      code: 1,
      message: /^access\[1\]: is a list, as the first is not/,
    });
  });
});

t.test('a value in a message is short, whatever it is', async (t) => {
  t.equal(show({ a: [1, 'x', null], b: { c: true } }), '{"a":[1,"x",null],"b":{"c":true}}');
  t.equal(show('"quoted"\n'), JSON.stringify('"quoted"\n'));
  t.equal(show(undefined), 'undefined');
  t.equal(show([]), '[]');
  let deep: unknown = 1;
  for (let i = 0; i < DEEP; i++) deep = [deep];
  for (const long of ['x'.repeat(1e6), Array.from({ length: 1e5 }, () => 1), deep]) {
    t.match(show(long), /^.{57}\.\.\.$/);
  }
});
