#!/usr/bin/env node
/** The singulate command. Exit codes: 0 done, 1 trouble, 2 a wrong setting (one line on stderr). */
import { endWithStarter } from '../shared/end-with-starter.js';
import { EXIT_CONFIG, errorMessage, isSingulateError } from '../shared/errors.js';
import { parseCommandLine } from './command-line.js';

endWithStarter();

async function main(): Promise<number> {
  const parsed = parseCommandLine(process.argv.slice(2));
  const { command, options, schema, file, recording, levels, config } = parsed;
  // Each command loads only what it needs: the start of a reader must not wait for the help.
  switch (command) {
    case 'help': {
      const { helpText } = await import('./help.js');
      process.stdout.write(helpText());
      return 0;
    }
    case 'version': {
      const { VERSION } = await import('../shared/package-info.js');
      process.stdout.write(`${VERSION}\n`);
      return 0;
    }
    case 'scenarios': {
      const { printScenarios } = await import('./scenarios-command.js');
      await printScenarios(schema);
      return 0;
    }
    case 'packet-log': {
      const { packetLog } = await import('./packet-log-command.js');
      return packetLog(file as string, recording);
    }
    case 'gpi':
    case 'gpo': {
      const { lineLevels } = await import('./io/levels-command.js');
      await lineLevels(command, levels, options);
      return 0;
    }
    case 'io': {
      const { watchIo } = await import('./io/io-command.js');
      return watchIo(options);
    }
    case 'config': {
      const { runConfigCommand } = await import('./config-command.js');
      return runConfigCommand(config, options);
    }
    case 'modules': {
      const { modules } = await import('./modules-command.js');
      return modules(parsed.modules);
    }
    case 'emulate': {
      const { emulate } = await import('./emulate-command.js');
      return emulate(parsed.emulate);
    }
    case 'grpc-certificates': {
      const { makeGrpcCertificates } = await import('./certificates/grpc-certificates-command.js');
      await makeGrpcCertificates(parsed.certificates);
      return 0;
    }
    case 'start': {
      const { start } = await import('./start.js');
      return start(options);
    }
  }
}

main().then(
  (code) => {
    // Whatever is still open (a socket that lingers, a timer) must not hold up the end.
    process.exitCode = code;
    setImmediate(() => process.exit(code));
  },
  (error) => {
    process.stderr.write(`singulate: ${errorMessage(error)}\n`);
    process.exit(isSingulateError(error, 'CONFIG') ? EXIT_CONFIG : 1);
  },
);
