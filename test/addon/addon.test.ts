/** Each case is a process of its own: it must print nothing and end with 0. */
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import t from 'tap';

const CASES = fileURLToPath(new URL('./cases/', import.meta.url));
const FLAGS = ['--expose-gc', '--force-node-api-uncaught-exceptions-policy=true'];

function run(file: string): Promise<{ code: number | string | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [...FLAGS, file], { timeout: 60_000 });
    let output = '';
    const collect = (chunk: Buffer) => {
      output += chunk;
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.on('close', (code, signal) => resolve({ code: code ?? signal, output }));
  });
}

for (const file of readdirSync(CASES).filter((name) => name.endsWith('.js'))) {
  t.test(`addon case ${file.slice(0, -3)}`, async (t) => {
    t.strictSame(await run(CASES + file), { code: 0, output: '' });
  });
}
