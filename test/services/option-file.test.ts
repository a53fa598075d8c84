/** Options of a service from a file. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { parseOptions } from '../../src/radio-control/options.js';
import { withOptionFile } from '../../src/shared/option-file.js';
import { temporaryFolder } from '../gateway/reader.js';

t.test('a file with comments gives options, and the command line wins', async (t) => {
  const file = join(temporaryFolder(t), 'radio.jsonc');
  writeFileSync(
    file,
    `// For the warehouse.
     {
       "scenario": "conveyor", // a belt
       "seed": 7,
       "log-mb": 3,
       "fast": true,
     }`,
  );
  const args = ['--socket', '/tmp/r.sock', '--config', file, '--log-mb', '5'];
  t.match(await withOptionFile(args, parseOptions), {
    scenario: 'conveyor',
    seed: 7,
    fast: true,
    logMegabytes: 5,
  });
  t.match(await withOptionFile(['--socket=/tmp/r.sock', `--config=${file}`], parseOptions), {
    logMegabytes: 3,
  });
});

t.test('without a file the command line is as it was', async (t) => {
  t.match(await withOptionFile(['--socket', 's', '--seed', '1'], parseOptions), { seed: 1 });
});

const WRONG: [what: string, text: string, message: RegExp][] = [
  ['an option that is none', '{"radoi": "virtual"}', /\.jsonc: Unknown option '--radoi'/],
  [
    'a value out of its range',
    '{"seed": -1}',
    /\.jsonc: --seed: -1 given; allowed: 0\.\.4294967295/,
  ],
  ['a value of the wrong kind', '{"scenario": ["a"]}', /scenario: allowed: a text, a number/],
  ['a value for a switch', '{"fast": "yes"}', /--fast/],
  ['another file', '{"config": "more.jsonc"}', /config is no option that can stand in a file/],
  ['no name of an option', '{"--seed": 1}', /--seed is no option that can stand in a file/],
  ['no object', '[1]', /allowed: one JSON object/],
  ['no JSON', '{\n"seed": 1\n"fast": true}', /, line 3: CommaExpected/],
];

for (const [what, text, message] of WRONG) {
  t.test(`${what} is refused with the file and the reason`, async (t) => {
    const file = join(temporaryFolder(t), 'radio.jsonc');
    writeFileSync(file, text);
    const args = ['--socket', 's', '--config', file];
    const error = await withOptionFile(args, parseOptions).catch((reason) => reason);
    t.equal(error.code, 'CONFIG');
    t.match(error.message, message);
    t.ok(error.message.includes(file));
  });
}

t.test('a file that is missing, or named twice, is refused', async (t) => {
  const refused = (...args: string[]) => withOptionFile(args, parseOptions);
  await t.rejects(refused('--config', '/nowhere/a.jsonc'), /\/nowhere\/a\.jsonc cannot be read/);
  await t.rejects(refused('--config'), /--config: the name of a file is missing/);
  await t.rejects(refused('--config', '--seed'), /--config: the name of a file is missing/);
  await t.rejects(refused('--config', 'a', '--config=b'), /--config is given twice/);
});
