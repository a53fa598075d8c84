/** Runs one command of the command line. */
import { EXIT_CONFIG, errorMessage, isSingulateError } from '../shared/errors.js';
import { parseCommandLine } from './command-line.js';
import type { Output } from './output.js';

/**
 * @param output What it says; `start`, `io` and `emulate`, which go on, have the process for themselves.
 * @returns Exit code: 0 done, 1 trouble, 2 a wrong setting (one line on stderr).
 */
export async function runCommand(args: string[], output: Output): Promise<number> {
  try {
    return await commandOf(args, output);
  } catch (error) {
    output.stderr.write(`singulate: ${errorMessage(error)}\n`);
    return isSingulateError(error, 'CONFIG') ? EXIT_CONFIG : 1;
  }
}

async function commandOf(args: string[], output: Output): Promise<number> {
  const parsed = parseCommandLine(args);
  const { command, options, schema, file, recording, levels, config } = parsed;
  // Each command loads only what it needs: the start of a reader must not wait for the help.
  switch (command) {
    case 'help': {
      const { helpText } = await import('./help.js');
      output.stdout.write(helpText());
      return 0;
    }
    case 'version': {
      const { VERSION } = await import('../shared/package-info.js');
      output.stdout.write(`${VERSION}\n`);
      return 0;
    }
    case 'scenarios': {
      const { printScenarios } = await import('./scenarios-command.js');
      await printScenarios(schema, output);
      return 0;
    }
    case 'packet-log': {
      const { packetLog } = await import('./packet-log-command.js');
      return packetLog(file as string, recording, output);
    }
    case 'gpi':
    case 'gpo': {
      const { lineLevels } = await import('./io/levels-command.js');
      await lineLevels(command, levels, options, output);
      return 0;
    }
    case 'io': {
      const { watchIo } = await import('./io/io-command.js');
      return watchIo(options);
    }
    case 'config': {
      const { runConfigCommand } = await import('./config-command.js');
      return runConfigCommand(config, options, output);
    }
    case 'modules': {
      const { modules } = await import('./modules-command.js');
      return modules(parsed.modules, output);
    }
    case 'emulate': {
      const { emulate } = await import('./emulate-command.js');
      return emulate(parsed.emulate);
    }
    case 'grpc-certificates': {
      const { makeGrpcCertificates } = await import('./certificates/grpc-certificates-command.js');
      await makeGrpcCertificates(parsed.certificates, output);
      return 0;
    }
    case 'start': {
      const { start } = await import('./start.js');
      return start(options);
    }
  }
}
