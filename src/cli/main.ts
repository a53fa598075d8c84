#!/usr/bin/env node
/** The singulate command. */
import { endWithStarter } from '../shared/end-with-starter.js';
import { runCommand } from './run-command.js';

endWithStarter();

runCommand(process.argv.slice(2), process).then((code) => {
  // Whatever is still open (a socket that lingers, a timer) must not hold up the end.
  process.exitCode = code;
  setImmediate(() => process.exit(code));
});
