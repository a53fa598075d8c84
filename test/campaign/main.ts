/**
 * `npm run test:campaign -- --minutes N [--spill] [--seed S]`: the whole reader under load to three
 * endpoints, faults at random, and then every event accounted. Prints last "N passed, N failed".
 */
import { errorMessage } from '../../src/shared/errors.js';
import { runCampaign } from './campaign.js';
import { readOptions } from './options.js';

const report = (line: string) => void process.stdout.write(`${line}\n`);

try {
  const checks = await runCampaign(readOptions(process.argv.slice(2)), report);
  const failed = checks.filter(({ problem }) => problem !== '');
  for (const { what, problem } of failed) report(`not ok: ${what}: ${problem}`);
  report(`\n${checks.length - failed.length} passed, ${failed.length} failed`);
  process.exitCode = failed.length > 0 ? 1 : 0;
} catch (error) {
  report(`not ok: ${errorMessage(error)}\n\n0 passed, 1 failed`);
  process.exitCode = 1;
}
// Sockets of the faults may be open still.
process.exit();
