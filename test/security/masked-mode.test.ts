/** Passwords of tags in the operating mode are shown to nobody, and kept when their mask comes back. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { TestReader } from '../gateway/reader.js';

const MASK = '********';

t.test('passwords of a mode are masked, and their masks keep what is stored', async (t) => {
  const reader = await TestReader.start(t);
  t.teardown(() => reader.gateway.stop());
  const modeOf = (access: object[], name = 'access') => ({ type: 'CUSTOM', [name]: access });
  const one = (type: string, password: string) => ({ type, config: { password } });
  const set = async (mode: object) => reader.call('PUT', 'mode', mode);
  const stored = () => JSON.parse(readFileSync(join(reader.stateDir, 'mode.json'), 'utf8'));

  const given = modeOf([one('ACCESS', '12345678'), one('KILL', 'deadbeef')]);
  t.equal((await set(given)).status, 200);
  for (const body of [undefined, { verbose: true }]) {
    const { json, text } = await reader.call('GET', 'mode', body);
    t.match(json.access, [{ config: { password: MASK } }, { config: { password: MASK } }]);
    t.notMatch(text, /12345678|deadbeef/);
  }

  t.test('what GET gives can be set again, and changed beside the masks', async (t) => {
    const { json } = await reader.call('GET', 'mode');
    t.equal((await set({ ...json, antennas: [2] })).status, 200);
    t.match(stored(), { ...given, antennas: [2] });
    t.equal((await set(modeOf([one('ACCESS', MASK), one('KILL', 'cafecafe')]))).status, 200);
    t.match(stored().access, [one('ACCESS', '12345678'), one('KILL', 'cafecafe')]);
    t.equal((await set(modeOf([one('ACCESS', MASK)], 'accesses'))).status, 200);
    t.match(stored().accesses ?? stored().access, [one('ACCESS', '12345678')]);
  });

  t.test('a mask of nothing, or of an operation of another type, is refused', async (t) => {
    const before = stored();
    const more = modeOf([one('ACCESS', MASK), one('KILL', MASK)]);
    t.match(await set(more), {
      status: 400,
      json: {
        code: 1,
        message: 'access[1].config.password: is the mask of a secret that is not stored here',
      },
    });
    t.match(await set(modeOf([one('KILL', MASK)])), {
      status: 400,
      json: { message: /^access\[0\]\.config\.password: is the mask/ },
    });
    t.same(stored(), before);
  });
});
