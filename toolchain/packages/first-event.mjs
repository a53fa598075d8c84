/**
 * node first-event.mjs FILE: logs in to the reader of this network namespace with the password in
 * FILE, starts reading unless it reads, and prints the first tag event as JSON.
 */
import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';

const LONGEST_MS = 60_000;
const password = readFileSync(process.argv[2], 'utf8').trim();
const deadline = Date.now() + LONGEST_MS;

function call(method, path, authorization, take) {
  return new Promise((resolve, reject) => {
    const req = request(
      {
        ...{ host: '127.0.0.1', port: 8443, method, path: `/cloud/${path}` },
        // The reader makes its own certificate.
        rejectUnauthorized: false,
        headers: { authorization },
        timeout: LONGEST_MS,
      },
      (res) => {
        let text = '';
        res.setEncoding('utf8');
        res.on('data', (chunk) => {
          text += chunk;
          if (take?.(text)) {
            resolve({ status: res.statusCode, text });
            req.destroy();
          }
        });
        res.on('end', () => resolve({ status: res.statusCode, text }));
        res.on('error', reject);
      },
    );
    req.on('timeout', () => req.destroy(new Error(`no answer to ${method} ${path}`)));
    req.on('error', reject);
    req.end();
  });
}

const basic = `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`;
const login = await call('GET', 'localRestLogin', basic);
if (login.status !== 200) throw new Error(`login: ${login.status} ${login.text}`);
const bearer = `Bearer ${JSON.parse(login.text).message}`;

// The radio service may be on its way up.
for (;;) {
  const status = JSON.parse((await call('GET', 'status', bearer)).text);
  if (status.radioActivity === 'active') break;
  const started = await call('PUT', 'start', bearer);
  if (started.status === 200) break;
  if (Date.now() > deadline) throw new Error(`start: ${started.status} ${started.text}`);
  await sleep(300);
}
const { text } = await call('GET', 'events', bearer, (so_far) => /\S.*\n/.test(so_far));
console.log(text.trim().split('\n')[0]);
process.exit(0);
