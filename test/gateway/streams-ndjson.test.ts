/** GET /cloud/events: events as lines of JSON. */
import t from 'tap';
import { send, until } from './reader.js';
import { bearer, HttpStream, idOf, readTags, streamingReader } from './streams.js';

t.test('one reader', async (t) => {
  const { reader, token } = await streamingReader(t);
  const url = reader.gateway.restUrl;
  readTags(reader, 1, 3);

  t.test('after=0 gives the events of before, also when nobody listened to them', async (t) => {
    const stream = await HttpStream.open(t, reader, '/cloud/events?after=0', bearer(token));
    await until('three events', () => stream.events.length === 3);
    t.equal(stream.response.statusCode, 200);
    t.equal(stream.response.headers['content-type'], 'application/x-ndjson');
    t.equal(stream.response.headers['cache-control'], 'no-store');
    t.equal(stream.response.headers['content-encoding'], undefined);
    t.same(stream.numbers, [1, 2, 3]);
    t.match(stream.events[0], { type: 'SIMPLE', data: { idHex: idOf(1) } });
  });

  t.test('without a number only new events come, each on its line', async (t) => {
    const stream = await HttpStream.open(t, reader, '/cloud/events', bearer(token));
    readTags(reader, 4, 5);
    await until('two events', () => stream.events.length === 2);
    t.same(stream.numbers, [4, 5]);
    t.match(stream.text, /^\{[^\n]+\}\n\{[^\n]+\}\n$/);
  });

  t.test('after=N goes on after event N, and then with new ones', async (t) => {
    const stream = await HttpStream.open(t, reader, '/cloud/events?after=3', bearer(token));
    await until('two events', () => stream.events.length === 2);
    readTags(reader, 6, 6);
    await until('three events', () => stream.events.length === 3);
    t.same(stream.numbers, [4, 5, 6]);
  });

  t.test('text that is not ASCII arrives as it is', async (t) => {
    const mode = { type: 'CUSTOM', tagMetaData: [{ userDefined: 'Tür “7” 🚪' }] };
    t.equal((await reader.call('PUT', 'mode', mode)).status, 200);
    const stream = await HttpStream.open(t, reader, '/cloud/events?after=6', bearer(token));
    readTags(reader, 7, 7);
    await until('an event', () => stream.events.length === 1);
    t.match(stream.events[0].data, { userDefined: 'Tür “7” 🚪', eventNum: 7 });
  });

  t.test('the token may be in the address; without a valid one there is no stream', async (t) => {
    const path = `/cloud/events?after=6&access_token=${token}`;
    const stream = await HttpStream.open(t, reader, path);
    await until('an event', () => stream.numbers.length === 1);
    for (const query of ['', '?access_token=', '?access_token=nonsense']) {
      const answer = await send(url, 'GET', `/cloud/events${query}`);
      t.match(answer, { status: 401, json: { code: 2, message: /token/ } }, query);
    }
    const other = await send(url, 'GET', `/cloud/version?access_token=${token}`);
    t.equal(other.status, 401, 'in the address only for streams');
  });

  t.test('a wrong number is refused and the field is named', async (t) => {
    for (const query of [
      'after=',
      'after=-1',
      'after=1.5',
      'after=x',
      'after=1&after=2',
      'after=1e3',
    ]) {
      const headers = bearer(token);
      const answer = await send(url, 'GET', `/cloud/events?${query}`, { headers });
      t.match(answer, { status: 400, json: { code: 1, message: /^after: / } }, query);
    }
  });

  t.test('the path has only GET, and HEAD does not stream', async (t) => {
    const headers = bearer(token);
    const answer = await send(url, 'POST', '/cloud/events', { headers });
    t.match(answer, { status: 405, headers: { allow: 'GET' } });
    t.equal((await send(url, 'HEAD', '/cloud/events', { headers })).status, 200);
  });

  t.test('a client that leaves is no stream any more', async (t) => {
    const stream = await HttpStream.open(t, reader, '/cloud/events', bearer(token));
    t.ok(reader.gateway.streams.counters.open > 0);
    stream.response.destroy();
    await until('all are gone', () => reader.gateway.streams.counters.open === 0);
    t.equal(reader.gateway.streams.counters.cutOff, 0);
    t.ok(reader.gateway.streams.counters.sent >= 10);
  });
});
