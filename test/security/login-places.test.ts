/** Many strangers who guess passwords do not keep out those who logged in before. */
import { request } from 'node:https';
import t from 'tap';
import { basic, PASSWORD, TestReader, until } from '../gateway/reader.js';

const SOURCES = 40;
const THREADS = 12;

/** @returns the status; 0: the connection was closed. */
function login(base: string, localAddress: string, password: string): Promise<number> {
  return new Promise((resolve) => {
    const url = new URL('/cloud/localRestLogin', base);
    const headers = basic('admin', password);
    const options = { headers, localAddress, rejectUnauthorized: false, agent: false };
    const outgoing = request(url, options, (response) => {
      response.resume();
      response.on('close', () => resolve(response.statusCode ?? 0));
    });
    outgoing.on('error', () => resolve(0));
    outgoing.end();
  });
}

t.test('right logins of a known address succeed beside guesses from many', async (t) => {
  const reader = await TestReader.start(t);
  t.teardown(() => reader.gateway.stop());
  const base = reader.gateway.restUrl;
  t.equal(await login(base, '127.0.0.1', PASSWORD), 200, 'it logs in before');
  const answers = { refused: 0, wrong: 0 };
  let isOver = false;
  const guess = async (thread: number) => {
    for (let i = 0; !isOver; i++) {
      const source = (thread + i * THREADS) % SOURCES;
      const status = await login(base, `127.0.1.${1 + source}`, `guess ${thread} ${i}`);
      if (status === 429) answers.refused++;
      if (status === 401) answers.wrong++;
    }
  };
  const guessing = Array.from({ length: THREADS }, (_, thread) => guess(thread));
  await until('there are more guesses than are looked at', () => answers.refused > 0, 60_000);
  for (let i = 0; i < 6; i++) t.equal(await login(base, '127.0.0.1', PASSWORD), 200, `login ${i}`);
  await until('guesses are looked at too', () => answers.wrong > 0, 60_000);
  isOver = true;
  await Promise.all(guessing);
  const { text } = await reader.call('GET', 'metrics');
  t.match(text, /singulate_logins_refused_total\{reason="places"\} [1-9]/);
});
