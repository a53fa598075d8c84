/** Requests with more in them than the interface has, by both doors. */
import t from 'tap';
import { Type } from '../../src/reader-gateway/api/schema.js';
import { show } from '../../src/reader-gateway/api/show.js';
import { findRequestViolations } from '../../src/reader-gateway/api/validate.js';
import { Commands } from '../../src/reader-gateway/mqtt/commands.js';
import { OPERATIONS } from '../../src/reader-gateway/operations/table.js';
import { TestReader } from './reader.js';
import { silent } from './updates.js';

/** As many as a request may hold, or nearly. */
const MANY = 15_000;
const MANY_FIELDS = 900;
const DEEP = 900;
const DEEPEST = 400_000;

t.test('one reader', async (t) => {
  const reader = await TestReader.start(t);
  t.teardown(() => reader.gateway.stop());
  const commands = new Commands(OPERATIONS, reader.gateway.context, silent);
  const put = (path: string, body: unknown) => reader.call('PUT', path, body);
  const command = async (text: string) =>
    JSON.parse((await commands.run(Buffer.from(text)))?.message ?? 'null');

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

  t.test('a key that is there twice is named, and nothing is done', async (t) => {
    const before = (await reader.call('GET', 'config')).text;
    const mode =
      '{"type": "SIMPLE", "query": {"session": "S1", "s\\u0065ssion": "S2"}, "type": "PORTAL"}';
    const message = 'query.session: is given more than once; type: is given more than once';
    t.match(await put('mode', mode), { status: 400, json: { code: 1, message } });
    t.match(await command(`{"command": "set_mode", "payload": ${mode}}`), {
      response: 'failure',
      payload: { code: 1, message },
    });
    t.match(await command('{"command": "stop", "command": "start", "payload": {}}'), {
      payload: { code: 1, message: 'command: is given more than once' },
    });
    const within =
      '{"GPIO-LED": {"TAG_READ": [{"a": ":\\""}, {"pin": 1, "type": "LED", "pin": 2}]}}';
    t.match(await put('config', within), {
      status: 400,
      json: { message: 'GPIO-LED.TAG_READ[1].pin: is given more than once' },
    });
    t.match(await put('stop', '{"a": [{"b": 1}, {"b": 1}], "c": {"b": 1}}'), {
      json: { message: /^a: is not known here/ },
    });
    t.equal((await reader.call('GET', 'config')).text, before);
    const many = `{${Array.from({ length: MANY_FIELDS }, () => '"a":1').join()}}`;
    t.match(await put('stop', many), {
      status: 400,
      json: { message: 'a: is given more than once' },
    });
    const deep = `{"a":${'['.repeat(DEEP)}${']'.repeat(DEEP)},"a":1}`;
    t.match(await put('stop', deep), { status: 400, json: { message: /nested deeper than 64/ } });
  });

  t.test('the query string has the fields of a GET and of a DELETE', async (t) => {
    const get = (path: string, body?: object) => reader.call('GET', path, body);
    const mode = await get('mode', { verbose: true });
    t.not(mode.text, (await get('mode')).text);
    t.equal((await get('mode?verbose=true')).text, mode.text);
    t.equal((await get('mode?verbose=true', { verbose: true })).text, mode.text);
    const wireless = await get('network?interface=mlan0');
    t.equal(wireless.text, (await get('network', { interface: 'mlan0' })).text);
    t.equal((await get('supportedStandardList?region=listenland')).status, 200);
    const wrong: [string, object | undefined, string][] = [
      ['mode?verbose=yes', undefined, 'verbose: "yes" is not true or false'],
      ['mode?verbose=true&verbose=false', undefined, 'verbose: is given more than once'],
      ['mode?verbose=true', { verbose: false }, 'verbose: false is not the true of the query'],
      ['mode?_=17&x=1', undefined, '_: is not one of the fields verbose; x: is not one of'],
      ['network?interface=wlan0', undefined, 'interface: "wlan0" is not one of all, eth0, mlan0'],
      ['status?_=17', undefined, '_: is not known here; the query string of this request has no'],
      ['region?region=fcc', undefined, 'region: is not known here; the query string of this'],
    ];
    for (const [path, body, message] of wrong) {
      t.match(await get(path, body), { status: 400, json: { code: 1, message } }, path);
    }
    t.match(await reader.call('DELETE', 'certificates/nobody?type=app'), {
      status: 404,
      json: { message: /no app certificate "nobody"/ },
    });
    t.match(await put('hostname?hostname=other', { hostname: 'other' }), {
      status: 400,
      json: {
        message: 'hostname: is not known here; the query string of this request has no fields',
      },
    });
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

  t.test('empty settings of another type are told as ignored, and not kept', async (t) => {
    const mode = { type: 'SIMPLE', portalSettings: {}, inventorySettings: {} };
    for (const given of [mode, { type: 'SIMPLE', modeSpecificSettings: {} }]) {
      t.match(await put('mode', given), { status: 200 });
      t.same((await reader.call('GET', 'mode')).json, { type: 'SIMPLE' });
    }
    const { json } = await reader.call('POST', 'mode', mode);
    t.same(json.ignored, [
      'inventorySettings has no meaning with type SIMPLE, only with INVENTORY',
      'portalSettings has no meaning with type SIMPLE, only with PORTAL',
    ]);
    t.match(await put('mode', { type: 'SIMPLE', portalSettings: { stopInterval: 1 } }), {
      status: 400,
      json: { message: 'portalSettings: has no meaning with type SIMPLE, only with PORTAL' },
    });
    const own = { type: 'INVENTORY', inventorySettings: {} };
    t.match(await put('mode', own), { status: 200 });
    t.same((await reader.call('GET', 'mode')).json, own);
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

  t.test('what holds too much is refused by both doors, before it is parsed', async (t) => {
    const fields = Array.from({ length: 1001 }, (_, i) => `"k${i}":1`).join();
    const message = (what: string) => `the ${what}: has `;
    for (const [text, excess] of [
      [`{"a":{${fields}}}`, 'an object with more than 1000 fields'],
      [`{"a":[${'1,'.repeat(20_000)}1]}`, 'more than 20000 values'],
      [`{"a":[${'{},'.repeat(20_000)}{}]}`, 'more than 20000 values'],
    ] as const) {
      const body = { code: 1, message: `${message('body')}${excess}` };
      t.match(await put('stop', text), { status: 400, json: body });
      const payload = { code: 1, message: `${message('command')}${excess}` };
      t.match((await command(text)).payload, payload);
    }
    for (const text of [
      '['.repeat(DEEPEST),
      `{"a":${'['.repeat(DEEPEST)}${']'.repeat(DEEPEST)}}`,
    ]) {
      const deep = { message: 'the body: is nested deeper than 64 levels' };
      t.match(await put('stop', text), { status: 400, json: deep });
    }
    for (const text of ['"', '{"', '{"a":"\\\\\\', ',,,', '}}]]{,']) {
      t.match(await put('stop', text), { status: 400, json: { message: /is not JSON/ } });
    }
  });

  t.test('fields that are not known cost each the same, however many they are', async (t) => {
    const schema = Type.Object({ known: Type.Number() });
    const cost = (fields: number) => {
      const entries = Array.from({ length: fields }, (_, i) => [`k${i}`, i] as const);
      const value = Object.fromEntries(entries);
      const times = [1, 2, 3].map(() => {
        const before = process.cpuUsage();
        t.equal(findRequestViolations(schema, value).length, fields + 1);
        const { user, system } = process.cpuUsage(before);
        return user + system;
      });
      return Math.min(...times);
    };
    cost(2000);
    const ratio = cost(40_000) / cost(2000);
    t.ok(ratio < 100, `twenty times as many cost ${ratio} times as much`);
  });

  t.test('thousands of faults are answered soon, and in a short message', async (t) => {
    const components = Array.from({ length: MANY }, () => 1);
    const begun = Date.now();
    const { status, json } = await put('logs', { components });
    t.equal(status, 400);
    t.match(json.message, /^components\[0\]: 1 is not an object; .*; and 14950 more$/);
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
  for (let i = 0; i < DEEPEST; i++) deep = [deep];
  for (const long of ['x'.repeat(1e6), Array.from({ length: 1e5 }, () => 1), deep]) {
    t.match(show(long), /^.{57}\.\.\.$/);
  }
});
