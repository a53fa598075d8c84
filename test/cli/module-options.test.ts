/** Options and arguments that are about radio modules. */
import { join } from 'node:path';
import t from 'tap';
import { type GivenOptions, parseCommandLine } from '../../src/cli/command-line.js';
import { resolveSettings } from '../../src/cli/settings.js';
import { parseOptions } from '../../src/radio-control/options.js';

const LINE = 'mercury:/dev/no-such-line';

t.test(
  'a radio module takes the place of a field, and a field of a stronger source its',
  async (t) => {
    const dir = t.testdir({
      'field.json': '{"scenario": "retail-shelf", "seed": 7}',
      'module.json': `{"radio": "${LINE}"}`,
    });
    const settings = (given: GivenOptions, env: NodeJS.ProcessEnv = {}) =>
      resolveSettings({ 'state-dir': dir, ...given }, { env, isTerminal: false });
    const field = join(dir, 'field.json');
    const module = join(dir, 'module.json');

    t.match(await settings({ radio: LINE }), { radio: LINE });
    t.match(await settings({ config: module }), { radio: LINE });
    t.match(await settings({ config: module, scenario: 'conveyor' }), {
      radio: 'virtual',
      scenario: 'conveyor',
    });
    t.match(await settings({ config: field, radio: 'virtual:m7e' }), { scenario: 'retail-shelf' });
    t.match(await settings({}, { SINGULATE_RADIO: LINE }), { radio: LINE });
    const refused: [GivenOptions, RegExp][] = [
      [
        { radio: LINE, scenario: 'conveyor' },
        /^--scenario is for simulated radios; not with mercury:/,
      ],
      [{ radio: LINE, replay: 'reads.csv' }, /^--replay is for simulated radios/],
      [{ radio: LINE, fast: true }, /^--fast is for simulated radios/],
      [{ radio: LINE, config: field }, /field\.json: seed is for simulated radios/],
      [{ radio: 'mercury:/etc/passwd' }, /^--radio: \/etc\/passwd is not a serial line/],
    ];
    for (const [given, message] of refused) {
      await t.rejects(settings(given), { code: 'CONFIG', message });
    }
  },
);

t.test('the form of a radio', async (t) => {
  const radio = (text: string) => parseOptions(['--socket', '/s', '--radio', text]).radio;
  t.same(radio('virtual'), { kind: 'virtual' });
  t.same(radio('virtual:m7e'), { kind: 'virtual', imitate: 'm7e' });
  t.same(radio(LINE), {
    kind: 'mercury',
    path: '/dev/no-such-line',
    baud: 0,
    workBaud: 921_600,
    inputPins: [],
    outputPins: [],
  });
  t.match(radio(`${LINE},gpi=2+1,gpo=4`), { inputPins: [2, 1], outputPins: [4] });
  t.match(radio(`${LINE},baud=9600,work-baud=115200`), { baud: 9600, workBaud: 115_200 });
  t.same(radio('acme:/dev/ttyS1,rate=9600,mode='), {
    kind: 'driver',
    name: 'acme',
    path: '/dev/ttyS1',
    settings: { rate: '9600', mode: '' },
  });
  const refused: [string, RegExp][] = [
    ['mercury', /--radio: mercury given; allowed: virtual\[:KIND\], or mercury:\/dev\/PORT/],
    ['mercury:ttyUSB0', /"ttyUSB0" is not an absolute path/],
    [`${LINE},baud=1`, /baud=1 given; allowed: 9600, /],
    [`${LINE},gpi=5`, /gpi=5 given; allowed: pins 1\.\.4/],
    [`${LINE},gpo=1+1`, /gpo=1\+1 given; allowed: .*each once/],
    [`${LINE},gpi=1,gpo=2+1`, /pin 1 is an input and an output/],
    [`${LINE},parity=odd`, /unknown setting "parity=odd"/],
    ['nur:ttyUSB0', /nur:ttyUSB0 given; allowed: .* or DRIVER:\/dev\/PORT/],
    ['Nur:/dev/ttyUSB0', /Nur:\/dev\/ttyUSB0 given/],
    ['replay:/dev/ttyUSB0', /replay:\/dev\/ttyUSB0 given/],
    ['acme:/dev/x,power', /"power" given; allowed: SETTING=VALUE, each once/],
    ['acme:/dev/x,rate=1,rate=2', /"rate=2" given; allowed: SETTING=VALUE, each once/],
    ['virtual:', /virtual: given; allowed: /],
    ['mercury:/dev', /\/dev is not a serial line/],
  ];
  for (const [text, message] of refused) {
    t.throws(() => radio(text), { code: 'CONFIG', message });
  }
  const gpio = ['--gpio', '/dev/gpiochip0:gpi=1'];
  t.throws(() => parseOptions(['--socket', '/s', '--radio', `${LINE},gpi=1`, ...gpio]), {
    message: /the pins of --radio are the inputs and outputs already/,
  });
  t.throws(() => parseOptions(['--socket', '/s', '--radio', LINE, '--fast']), {
    message: /--fast is for simulated radios; not with --radio mercury/,
  });
});

t.test('arguments of modules and emulate', async (t) => {
  t.match(parseCommandLine(['modules', '/dev/a', '/dev/b', '--json']), {
    command: 'modules',
    modules: { ports: ['/dev/a', '/dev/b'], json: true },
  });
  t.match(parseCommandLine(['modules', 'load', 'f.sim', '--port', '/dev/a']).modules, {
    load: 'f.sim',
    port: '/dev/a',
    ports: [],
  });
  t.match(
    parseCommandLine(
      'emulate mercury --profile nano --scenario conveyor --baud-pacing --link l'.split(' '),
    ),
    {
      command: 'emulate',
      emulate: { profile: 'nano', scenario: 'conveyor', baudPacing: true, link: 'l', json: false },
    },
  );
  const refused: [string, RegExp][] = [
    ['modules load f.sim', /modules load needs a port/],
    ['modules load f.sim /dev/b --port /dev/a', /unexpected argument \/dev\/b/],
    ['modules --port /dev/a', /--port is for/],
    ['modules --fast', /unknown option --fast/],
    ['emulate', /emulate needs a kind of module; allowed: mercury/],
    ['emulate nur', /emulate: nur given; allowed: mercury/],
    ['emulate mercury more', /unexpected argument more/],
    ['emulate mercury --profile', /--profile needs a value: --profile NAME/],
    ['emulate mercury --seed 1', /unknown option --seed/],
  ];
  for (const [line, message] of refused) {
    t.throws(() => parseCommandLine(line.split(' ')), { code: 'CONFIG', message });
  }
});
