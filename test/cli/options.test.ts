import { join } from 'node:path';
import t from 'tap';
import { type GivenOptions, parseCommandLine } from '../../src/cli/command-line.js';
import { helpText } from '../../src/cli/help.js';
import { environmentName, OPTIONS } from '../../src/cli/option-table.js';
import { resolveSettings } from '../../src/cli/settings.js';
import { isSingulateError } from '../../src/shared/errors.js';

const settings = (given: GivenOptions, env: NodeJS.ProcessEnv = {}, isTerminal = false) =>
  resolveSettings(given, { env, isTerminal });

function refusal(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (isSingulateError(error, 'CONFIG')) return error.message;
    throw error;
  }
  throw new Error('nothing was refused');
}

async function rejection(action: () => Promise<unknown>): Promise<string> {
  try {
    await action();
  } catch (error) {
    if (isSingulateError(error, 'CONFIG')) return error.message;
    throw error;
  }
  throw new Error('nothing was refused');
}

t.test('help lists every option, and lines fit a narrow terminal', async (t) => {
  const text = helpText();
  for (const { name } of OPTIONS) t.match(text, `--${name}`);
  for (const line of text.split('\n')) t.ok(line.length <= 90, line);
});

t.test('without options everything has its default', async (t) => {
  const dir = t.testdir({});
  t.strictSame(await settings({ 'state-dir': dir }), {
    stateDir: dir,
    restPort: 8443,
    mqttPort: 1883,
    grpc: { listen: undefined, observerSocket: undefined, maxStreams: undefined },
    radio: 'virtual',
    scenario: 'dock-door',
    replay: undefined,
    gpio: undefined,
    fast: false,
    autostart: true,
    password: undefined,
    trustLocalPrograms: false,
    openTagEvents: false,
    refuseLocalFetches: false,
    certificateFolders: undefined,
    seed: undefined,
    logFormat: 'json',
    logMegabytes: 9,
    platform: 'emulated',
    updateCert: undefined,
  });
  t.equal((await settings({ 'state-dir': dir }, {}, true)).logFormat, 'pretty');
});

t.test('the command line counts before the environment, that before the file', async (t) => {
  const dir = t.testdir({
    'singulate.json': JSON.stringify({
      'rest-port': 1001,
      'mqtt-port': 1002,
      seed: 3,
      fast: true,
      'no-autostart': true,
      'log-format': 'pretty',
      scenario: 'mine/field.json',
    }),
  });
  const env = { SINGULATE_REST_PORT: '2001', SINGULATE_MQTT_PORT: '2002', SINGULATE_FAST: 'no' };
  const { options } = parseCommandLine(['start', '--state-dir', dir, '--rest-port=3001']);
  t.match(await settings(options, env), {
    restPort: 3001,
    mqttPort: 2002,
    seed: 3,
    fast: false,
    autostart: false,
    logFormat: 'pretty',
    scenario: join(dir, 'mine/field.json'),
  });
});

/** gRPC on TCP needs its certificates, and they need it. */
function neededBeside(option: string): GivenOptions {
  const files = { 'grpc-cert': 'c.pem', 'grpc-key': 'k.pem', 'grpc-client-ca': 'ca.pem' };
  const isAddress = option === 'grpc-port' || option === 'grpc-listen';
  if (!isAddress && option !== 'grpc-client-crl' && !(option in files)) return {};
  const all: GivenOptions = isAddress ? files : { ...files, 'grpc-port': 4002 };
  delete all[option as keyof GivenOptions];
  return all;
}

t.test('every option works in all three places', async (t) => {
  const values: Record<string, [text: string, json: string | number | boolean]> = {
    path: ['some/where', 'some/where'],
    source: ['retail-shelf', 'retail-shelf'],
    text: ['a text', 'a text'],
    port: ['4001', 4001],
    listen: ['[::]:4001', '[::]:4001'],
    streams: ['40', 40],
    seed: ['7', 7],
    flag: ['true', true],
    megabytes: ['20', 20],
    platform: ['linux', 'linux'],
    radio: ['mercury:/dev/no-such-line', 'mercury:/dev/no-such-line'],
    'log-format': ['pretty', 'pretty'],
  };
  for (const spec of OPTIONS.filter(({ name }) => name !== 'config')) {
    const [text, json] = values[spec.kind] as [string, string | number | boolean];
    const dir = t.testdir({ 'c.json': JSON.stringify({ [spec.name]: json }) });
    const config = join(dir, 'c.json');
    const args = spec.kind === 'flag' ? [`--${spec.name}`] : [`--${spec.name}`, text];
    const beside = neededBeside(spec.name);
    const fromLine = await settings({ ...beside, ...parseCommandLine(args).options });
    const fromEnvironment = await settings(beside, { [environmentName(spec.name)]: text });
    const fromFile = await settings({ ...beside, config });
    const defaults = await settings({ 'state-dir': '.singulate' });
    t.strictSame(fromEnvironment, fromLine, spec.name);
    t.notSame(fromLine, defaults, spec.name);
    // Paths of a file count from the folder of the file; all else is the same.
    if (spec.kind !== 'path') t.strictSame(fromFile, fromLine, spec.name);
    else t.match(JSON.stringify(fromFile), join(dir, text));
  }
});

t.test('a recording on the command line replaces a scenario of the file', async (t) => {
  const config = join(t.testdir({ 'c.json': '{"scenario": "retail-shelf"}' }), 'c.json');
  t.match(await settings({ config, replay: 'a.csv' }), { replay: 'a.csv', scenario: 'dock-door' });
  const other = join(t.testdir({ 'c.json': '{"replay": "a.csv"}' }), 'c.json');
  t.match(await settings({ config: other, scenario: 'retail-shelf' }), {
    replay: undefined,
    scenario: 'retail-shelf',
  });
});

t.test('a wrong command line is one exact line', async (t) => {
  const hint = '(singulate --help lists what there is)';
  const cases: [string[], string][] = [
    [['--no-such-option'], `unknown option --no-such-option ${hint}`],
    [['-x'], `unknown option -x ${hint}`],
    [['start', 'now'], `unexpected argument now ${hint}`],
    [
      ['begin'],
      'unknown command begin; allowed: start, scenarios, packet-log, gpi, gpo, io, config, modules, emulate, grpc-certificates, help, version',
    ],
    [['gpi', '1'], 'gpi 1: no level given; allowed: gpi PORT high|low [PORT high|low ...]'],
    [['gpo', '1', 'on'], 'gpo 1: on given; allowed: gpo PORT high|low [PORT high|low ...]'],
    [['gpi', 'x'], 'gpi: x is not a port; allowed: gpi PORT high|low [PORT high|low ...]'],
    [['gpi', '1', 'low', '--fast'], `unknown option --fast ${hint}`],
    [['io', '1'], `unexpected argument 1 ${hint}`],
    [['packet-log'], `packet-log needs a file ${hint}`],
    [['packet-log', 'a', 'b'], `unexpected argument b ${hint}`],
    [['packet-log', 'a', '--fast'], `unknown option --fast ${hint}`],
    [['packet-log', 'a', '--recording'], '--recording needs a value: --recording FILE'],
    [['scenarios', '--fast'], `unknown option --fast ${hint}`],
    [['--schema'], `unknown option --schema ${hint}`],
    [['grpc-certificates'], `grpc-certificates needs a folder ${hint}`],
    [['grpc-certificates', 'a', 'b'], `unexpected argument b ${hint}`],
    [['grpc-certificates', 'a', '--host'], '--host needs a value: --host NAME'],
    [
      ['--grpc-listen', '::1:50051'],
      '--grpc-listen: ::1:50051 given; allowed: HOST:PORT, as 0.0.0.0:50051, [::]:50051 or reader.local:50051, with a port of 1..65535',
    ],
    [['--rest-port'], '--rest-port needs a value: --rest-port PORT'],
    [['--replay', '--fast'], '--replay needs a value: --replay FILE'],
    [['--fast=yes'], '--fast takes no value'],
    [['--rest-port', 'http'], '--rest-port: http given; allowed: 1..65535'],
    [['--grpc-port', '65536'], '--grpc-port: 65536 given; allowed: 1..65535'],
    [['--mqtt-port', '0'], '--mqtt-port: 0 given; allowed: 1..65535'],
    [['--seed', '-1'], '--seed: -1 given; allowed: 0..4294967295'],
    [['--log-format', 'xml'], '--log-format: xml given; allowed: json, pretty'],
    [['--platform', 'windows'], '--platform: windows given; allowed: emulated, linux'],
    [['--log-mb', '0'], '--log-mb: 0 given; allowed: 1..1000'],
    [['--password='], '--password: nothing given; allowed: a text that is not empty'],
  ];
  for (const [args, message] of cases)
    t.equal(
      refusal(() => parseCommandLine(args)),
      message,
    );
});

t.test('a wrong environment or file is one exact line', async (t) => {
  t.equal(
    await rejection(() => settings({}, { SINGULATE_REST_PORT: 'x' })),
    'SINGULATE_REST_PORT: x given; allowed: 1..65535',
  );
  t.equal(
    await rejection(() => settings({}, { SINGULATE_FAST: 'maybe' })),
    'SINGULATE_FAST: maybe given; allowed: true or false',
  );
  t.equal(
    await rejection(() => settings({ scenario: 'a', replay: 'b' })),
    '--scenario and --replay are both given; allowed: one of the two',
  );
  const files: [string, RegExp][] = [
    ['{', /^config file .*c\.json cannot be read: .* is not JSON: /],
    ['[]', /^config file .*c\.json: allowed: one JSON object$/],
    ['{"port": 1}', /^config file .*c\.json: port is not allowed; allowed: state-dir, rest-port, /],
    ['{"config": "x"}', /^config file .*c\.json: config is not allowed; allowed: state-dir, /],
    ['{"rest-port": "1"}', /^config file .*c\.json: rest-port: "1" given; allowed: 1\.\.65535$/],
    ['{"fast": 1}', /^config file .*c\.json: fast: 1 given; allowed: true or false$/],
    ['{"scenario": "a", "replay": "b"}', /c\.json: scenario and .*c\.json: replay are both given/],
  ];
  for (const [content, message] of files) {
    const config = join(t.testdir({ 'c.json': content }), 'c.json');
    const text = await rejection(() => settings({ config }));
    t.match(text, message);
    t.notMatch(text, '\n');
  }
  t.equal(
    await rejection(() => settings({ config: '/no/such/file.json' })),
    'config file /no/such/file.json does not exist',
  );
  const dir = t.testdir({ 'singulate.json': '{"state-dir": "x"}' });
  t.match(
    await rejection(() => settings({ 'state-dir': dir })),
    /singulate\.json: state-dir is not allowed; allowed: rest-port, /,
  );
});
