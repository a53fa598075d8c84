/** What user applications and the reader say to each other. */
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { FakeRadio, read } from './fake-radio.js';
import { Listener, radioTarget, TestBroker, temporaryFolder, until } from './reader.js';
import { AppReader, answering, appPackage } from './user-apps.js';

t.test('one reader', async (t) => {
  const stateDir = temporaryFolder(t);
  const radio = new FakeRadio();
  await radio.listen(radioTarget(stateDir));
  const broker = new TestBroker();
  await broker.start();
  const listener = new Listener(broker.url, 'singulate/d-evt');
  await until('the listener is there', () => listener.subscribed);
  const outputs: unknown[] = [];
  const onGpo = async (appname: string, pin: number, state: string) => {
    if (pin === 4) throw new Error('there is no pin 4');
    outputs.push({ appname, pin, state });
  };
  t.teardown(async () => {
    listener.client.end(true);
    await broker.stop();
    radio.kill();
  });
  // Where the machine stands still an application answers late: that is for apps-silent.
  const times = { responseMs: 120_000, graceMs: 300 };
  const apps = await AppReader.start(t, { stateDir, radio, broker, userApps: { onGpo, times } });
  const { reader } = apps;
  await reader.dataConnected();
  const run = async (name: string, script: string) => {
    await apps.installed(appPackage(name, script));
    await apps.do(name, 'start');
    await apps.connected(name);
    t.teardown(() => apps.do(name, 'uninstall').catch(() => {}));
  };
  const asked = async (name: string, command: string) => (await apps.send(name, command)).json;
  /** Runs the command as a line of the application. */
  const evaluating = (more = '') =>
    answering(
      '(command) => { const result = eval(command); return result === undefined ? "done" : result; }',
      more,
    );

  t.test('a command gets its response, whatever text it is', async (t) => {
    await run('echo', answering('(text) => text'));
    const command = 'line 1\nline 2 "quoted" \u00e9\u{1f600} \u2028 {"json": [1]}';
    t.match(await apps.send('echo', command), { status: 200, json: { response: command } });
    t.same(await asked('echo', ''), { response: '' });
    const long = 'x'.repeat(65_536);
    t.same(await asked('echo', long), { response: long });
    t.match(await apps.send('echo', `${long}x`), {
      status: 400,
      json: { code: 1, message: /^command: / },
    });
  });

  t.test('commands that overlap get their own responses', async (t) => {
    await run(
      'late',
      answering(
        'async (ms) => { await new Promise((r) => setTimeout(r, Number(ms))); return ms; }',
      ),
    );
    const delays = ['120', '60', '0'];
    const answers = await Promise.all(delays.map((ms) => asked('late', ms)));
    t.same(
      answers,
      delays.map((response) => ({ response })),
    );
  });

  t.test('a response that is no text becomes JSON', async (t) => {
    await run('object', answering('() => ({ count: 3 })'));
    t.same(await asked('object', ''), { response: '{"count":3}' });
  });

  t.test('userapp must be there, and be the application of the path', async (t) => {
    const path = 'apps/echo/pass-through';
    t.match(await reader.call('PUT', path, { command: 'x' }), {
      status: 400,
      json: { message: 'userapp: is required' },
    });
    t.match(await reader.call('PUT', path, { userapp: 'late', command: 'x' }), {
      status: 400,
      json: { message: /^userapp: "late" is not the application that appname names: "echo"$/ },
    });
  });

  t.test('16 commands wait at most, until it answers or ends', async (t) => {
    await run('silent', answering('() => undefined'));
    const answers: number[] = [];
    const many = Array.from({ length: 18 }, async () => {
      answers.push((await apps.send('silent', 'x')).status);
    });
    await until('two are refused', () => answers.length === 2);
    t.same(answers, [429, 429]);
    await apps.do('silent', 'stop');
    await Promise.all(many);
    t.same(
      answers.slice(2),
      Array.from({ length: 16 }, () => 500),
    );
  });

  t.test('one that does not run, and one that does not listen, are told apart', async (t) => {
    t.match(await apps.send('silent', 'x'), {
      status: 400,
      json: { code: 3, message: 'appname: silent does not run' },
    });
    await apps.installed(appPackage('deaf'));
    await apps.do('deaf', 'start');
    t.match(await apps.send('deaf', 'x'), {
      status: 400,
      json: { code: 3, message: /deaf has not opened its socket/ },
    });
  });

  t.test('one that ends while a command waits fails it at once', async (t) => {
    await run('ends', answering('() => process.exit(1)'));
    t.match(await apps.send('ends', 'x'), {
      status: 500,
      json: { message: 'ends closed its socket before it answered' },
    });
  });

  t.test(
    'tag events come once it has subscribed, one on each line, as streams have them',
    async (t) => {
      await run('tags', evaluating());
      await reader.call('PUT', 'start');
      await until('the reads are followed', () => radio.subscribers === 1);
      radio.send(read('e2000001'));
      await until('the endpoint has it', () => listener.messages.length === 1);
      t.same(await asked('tags', 'JSON.stringify(got)'), { response: '[]' }, 'nothing before');
      await asked('tags', 'say({ type: "SUBSCRIBE" })');
      // An answer comes after what was said before it.
      await asked('tags', '1');
      radio.send(read('e2000002'), read('e2000003'));
      const got = async () => JSON.parse((await asked('tags', 'JSON.stringify(got)')).response);
      for (let i = 0; i < 400 && (await got()).length < 2; i++) await sleep(10);
      const events = await got();
      t.match(events, [
        { type: 'SIMPLE', data: { idHex: 'e2000002', eventNum: 2 }, timestamp: String },
        { type: 'SIMPLE', data: { idHex: 'e2000003', eventNum: 3 } },
      ]);
      reader.gateway.apps.gpi(2, 'HIGH');
      for (let i = 0; i < 400 && (await got()).length < 3; i++) await sleep(10);
      t.same((await got())[2], { type: 'GPI', pin: 2, state: 'HIGH' });
      await asked('tags', 'say({ type: "UNSUBSCRIBE" })');
      await asked('tags', '1');
      const before = listener.messages.length;
      radio.send(read('e2000004'));
      await until('the endpoint has it', () => listener.messages.length > before);
      t.equal((await got()).length, 3, 'nothing after');
    },
  );

  t.test('its own events go to the endpoints and streams, and not to applications', async (t) => {
    await run('teller', evaluating());
    await asked('teller', 'say({ type: "SUBSCRIBE" })');
    await asked('teller', '1');
    const before = listener.messages.length;
    await asked(
      'teller',
      `say({ type: "EVENT", data: { text: 'a "b"', list: [1, null] } }); say({ type: "EVENT", data: "text" })`,
    );
    await until('the endpoint has them', () => listener.messages.length === before + 2);
    const [first, second] = listener.messages.slice(before).map(({ json }) => json);
    t.match(first, {
      type: 'USERAPP',
      data: { appname: 'teller', event: { text: 'a "b"', list: [1, null] }, eventNum: Number },
      timestamp: /^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}[+-]\d{4}$/,
    });
    t.equal(second.data.eventNum, first.data.eventNum + 1);
    t.equal(second.data.event, 'text');
    radio.send(read('e2000005'));
    const got = async () => JSON.parse((await asked('teller', 'JSON.stringify(got)')).response);
    for (let i = 0; i < 400 && (await got()).length < 1; i++) await sleep(10);
    t.match(await got(), [{ type: 'SIMPLE', data: { idHex: 'e2000005' } }]);
    t.equal((await got()).length, 1);
  });

  t.test('it sets outputs, and is told why one cannot be set', async (t) => {
    await run('setter', evaluating());
    await asked(
      'setter',
      'say({ type: "GPO", pin: 1, state: "HIGH" }); say({ type: "GPO", pin: 4, state: "LOW" })',
    );
    const got = async () => JSON.parse((await asked('setter', 'JSON.stringify(got)')).response);
    for (let i = 0; i < 400 && (await got()).length < 1; i++) await sleep(10);
    t.same(await got(), [{ type: 'ERROR', message: 'GPO: there is no pin 4' }]);
    t.same(outputs, [{ appname: 'setter', pin: 1, state: 'HIGH' }]);
  });

  t.test('what it says wrongly is answered with an error, and it stays connected', async (t) => {
    await run('wrong', evaluating());
    const lines = [
      '{',
      '[1]',
      '{"type":"DANCE"}',
      '{"type":"GPO","pin":9,"state":"UP"}',
      '{"type":"EVENT"}',
      '{"id":"77","response":"x"}',
      '',
    ];
    await asked('wrong', `for (const line of ${JSON.stringify(lines)}) socket.write(line + '\\n')`);
    await asked('wrong', '1');
    const got = JSON.parse((await asked('wrong', 'JSON.stringify(got)')).response);
    const messages: RegExp[] = [
      /is not JSON/,
      /\[1\] is not an object/,
      /type: "DANCE" is not one of SUBSCRIBE, UNSUBSCRIBE, EVENT, GPO, RESPONSE/,
      /pin: 9 is above the maximum of 4; state: "UP" is not one of HIGH, LOW/,
      /data: is required/,
      /no command "77" waits/,
    ];
    t.match(
      got,
      messages.map((message) => ({ type: 'ERROR', message })),
    );
    t.equal(got.length, messages.length);
  });

  t.test('a line without an end cuts it off, and it may come back', async (t) => {
    await run('endless', answering('() => { socket.write("x".repeat(300000)); }'));
    const pid = reader.gateway.apps.pid('endless');
    t.match(await apps.send('endless', ''), { status: 500 });
    await until('it was restarted', () => {
      const now = reader.gateway.apps.pid('endless');
      return now !== undefined && now !== pid;
    });
    await apps.connected('endless');
  });

  t.test('an application that tells too much loses events, and others do not', async (t) => {
    await run('flood', evaluating());
    const before = listener.messages.length;
    await asked('flood', 'for (let i = 0; i < 5000; i++) say({ type: "EVENT", data: i })');
    await asked('flood', '1');
    const got = JSON.parse((await asked('flood', 'JSON.stringify(got)')).response);
    t.match(got, [{ type: 'ERROR', message: /above 1000 events in a second/ }]);
    await until('the first have come', () => listener.messages.length >= before + 1000);
    t.ok(listener.messages.length < before + 5000);
  });

  t.test('a slow application loses events, which are counted, and delays nobody', async (t) => {
    await run(
      'slow',
      evaluating(
        `globalThis.block = (ms) => { const end = Date.now() + ms; while (Date.now() < end); };`,
      ),
    );
    await asked('slow', 'say({ type: "SUBSCRIBE" })');
    await asked('slow', '1');
    const asleep = apps.send('slow', 'block(3000)');
    const before = listener.messages.length;
    let number = 0;
    // More than the buffer of all streams keeps.
    while (number < 40_000) {
      radio.send(
        ...Array.from({ length: 500 }, () => read((++number).toString(16).padStart(8, '0'))),
      );
      await sleep(5);
    }
    await until(
      'the endpoint has got on',
      () => listener.messages.length >= before + 30_000,
      20_000,
    );
    await asleep;
    await until('the loss is counted', () => (apps.app('slow')?.lostEvents ?? 0) > 0, 10_000);
    const facts = `JSON.stringify({ events: got.filter((m) => m.data?.idHex).length, lost: got.filter((m) => m.type === 'OVERFLOW').map((m) => m.data.lost), last: got.at(-1)?.data?.idHex })`;
    const lastId = number.toString(16).padStart(8, '0');
    let told = { events: 0, lost: [] as number[], last: '' };
    for (let i = 0; i < 400 && told.last !== lastId; i++) {
      const { response } = await asked('slow', facts);
      if (response !== undefined) told = JSON.parse(response);
      await sleep(20);
    }
    t.equal(told.last, lastId, 'the newest event came');
    const lost = told.lost.reduce((sum, count) => sum + count, 0);
    t.equal(lost, apps.app('slow')?.lostEvents);
    t.equal(told.events + lost, number, 'each event came or was told to be lost');
  });
});
