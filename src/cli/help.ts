/** The text of --help, made from the table of options. */
import { environmentName, OPTIONS, type OptionSpec } from './option-table.js';

const WIDTH = 80;
const INDENT = 28;

export function helpText(): string {
  return [
    'Usage: singulate [start] [options]     run the reader: radio, REST, MQTT and gRPC',
    '       singulate scenarios [--schema]  list the scenarios, or print their JSON Schema',
    '       singulate packet-log FILE [--recording FILE]',
    '                                       check a radio packet log; make a recording of it',
    '       singulate gpi [PORT high|low ...]',
    '                                       show the inputs of the running reader, or play them',
    '       singulate gpo [PORT high|low ...]',
    '                                       show the outputs of the running reader, or set them',
    '       singulate io                    watch its inputs, outputs and radio',
    '       singulate config template       print all settings with their meaning',
    '       singulate config check FILE     check settings, a configuration or a mode',
    '       singulate config export [FILE] [--with-secrets]',
    '       singulate config import FILE    set all that an export holds',
    '       singulate config reset [--yes]  factory reset',
    '                                       (these three: [--state-dir DIR])',
    '       singulate modules [PORT ...] [--json]',
    '                                       look for radio modules on serial lines',
    '       singulate modules load FILE --port PORT [--json]',
    '                                       load firmware into a module',
    '       singulate emulate mercury [--profile m7e|m6e|nano|silion] [--scenario FILE|NAME]',
    '                 [--baud-pacing] [--link PATH] [--json]',
    '                                       be a radio module, on a pseudo-terminal',
    '       singulate grpc-certificates DIR [--host NAME ...]',
    '                                       make certificates for gRPC over TLS',
    '       singulate --help | --version',
    '',
    'Options of start:',
    ...OPTIONS.flatMap(optionLines),
    '',
    'gpi, gpo and io take --state-dir and --config, and find the reader by them.',
    '',
    'Each option may also come from the environment or from the config file:',
    `--rest-port 9443 is the same as ${environmentName('rest-port')}=9443 or {"rest-port": 9443}.`,
    'The command line counts before the environment, that before the config file.',
    'A wrong setting ends the program with one line and exit code 2.',
    '',
  ].join('\n');
}

function optionLines(spec: OptionSpec): string[] {
  const left = `  --${spec.name}${spec.value ? ` ${spec.value}` : ''}`;
  const shown = spec.shownDefault ? `${spec.help} [${spec.shownDefault}]` : spec.help;
  const lines = wrap(shown, WIDTH - INDENT);
  const fits = left.length < INDENT - 1;
  const rows = lines.map(
    (line, i) => (fits && i === 0 ? left.padEnd(INDENT) : ' '.repeat(INDENT)) + line,
  );
  return fits ? rows : [left, ...rows];
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}
