/** Running the steps of a build: progress for people, full output only when a step fails. */
import { spawn } from 'node:child_process';

const tty = process.stderr.isTTY === true;

/** A trouble the user can mend; `message` is the one line to show. */
export class SetupError extends Error {}

/**
 * Runs a command without a shell. Shows its title and, on a terminal, the seconds that pass.
 * Everything goes to standard error: standard output belongs to the program that follows.
 */
export async function step(title, command, args, options = {}) {
  const started = Date.now();
  const seconds = () => ((Date.now() - started) / 1000).toFixed(1);
  const show = (mark) => process.stderr.write(`${tty ? '\r' : ''}${mark} ${title} ${seconds()} s`);
  let ticker;
  if (tty) ticker = setInterval(() => show('·'), 200);
  else process.stderr.write(`· ${title} ...\n`);
  const { code, output } = await run(command, args, options);
  clearInterval(ticker);
  show(code === 0 ? '✓' : '✗');
  process.stderr.write('\n');
  if (code !== 0) {
    process.stderr.write(output);
    throw new SetupError(`${title} failed (${command} ${args.join(' ')} ended with ${code})`);
  }
  return output;
}

/** Shows the title and the time of what is done in this process, in a moment. */
export async function timed(title, make) {
  const started = Date.now();
  await make();
  process.stderr.write(`✓ ${title} ${((Date.now() - started) / 1000).toFixed(1)} s\n`);
}

/** Runs a command and collects what it prints. A command that does not exist gives code 127. */
export function run(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
    const chunks = [];
    child.stdout?.on('data', (chunk) => chunks.push(chunk));
    child.stderr?.on('data', (chunk) => chunks.push(chunk));
    child.on('error', (error) => resolve({ code: 127, output: `${error.message}\n` }));
    child.on('close', (code, signal) =>
      resolve({ code: code ?? signal, output: Buffer.concat(chunks).toString() }),
    );
  });
}

/** Runs a command whose output is the user's, as it comes. */
export function runInherited(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: 'inherit', ...options });
    child.on('error', (error) => {
      process.stderr.write(`${error.message}\n`);
      resolve(127);
    });
    child.on('close', (code, signal) => resolve(code ?? signal));
  });
}
