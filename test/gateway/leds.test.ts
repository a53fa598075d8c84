/** LEDs of the kernel's LED class, on a folder that looks like it; and those of the emulated device. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { openEmulatedPlatform } from '../../src/platform/emulated/emulated-platform.js';
import { openLeds } from '../../src/platform/linux/linux-led.js';
import { createLogger } from '../../src/shared/log.js';
import { temporaryFolder } from './reader.js';

type Files = Record<string, string>;

const plain = (more: Files = {}): Files => ({
  brightness: '0\n',
  max_brightness: '1\n',
  trigger: '[none] timer heartbeat\n',
  ...more,
});
const multicolor = (more: Files = {}): Files =>
  plain({
    max_brightness: '255\n',
    multi_index: 'green blue red\n',
    multi_intensity: '0 0 0\n',
    ...more,
  });

class Root {
  readonly path: string;

  constructor(t: Test, leds: Record<string, Files>) {
    this.path = temporaryFolder(t);
    for (const [name, files] of Object.entries(leds)) {
      mkdirSync(join(this.path, name));
      for (const [file, text] of Object.entries(files)) this.write(name, file, text);
    }
  }

  write(name: string, file: string, text: string): void {
    writeFileSync(join(this.path, name, file), text);
  }

  read(name: string, file: string): string {
    return readFileSync(join(this.path, name, file), 'utf8').trim();
  }
}

t.test('a multicolour LED gets its colours in its own order', async (t) => {
  const root = new Root(t, { 'multicolor:indicator-1': multicolor() });
  const [led, ...more] = openLeds(undefined, root.path);
  t.equal(more.length, 0);
  t.same(led?.colors, ['RED', 'AMBER', 'GREEN']);
  const shown = async (color: 'RED' | 'AMBER' | 'GREEN' | 'OFF') => {
    await led?.set(color);
    const name = 'multicolor:indicator-1';
    return `${root.read(name, 'brightness')}: ${root.read(name, 'multi_intensity')}`;
  };
  t.equal(await shown('RED'), '255: 0 0 255');
  t.equal(await shown('GREEN'), '255: 255 0 0');
  t.equal(await shown('AMBER'), '255: 128 0 255');
  t.match(await shown('OFF'), /^0: /);
});

t.test('one LED for each colour: the others go out, amber is red and green', async (t) => {
  const root = new Root(t, {
    'red:indicator-1': plain(),
    'green:indicator-1': plain({ max_brightness: '255\n' }),
    'green:indicator-3': plain(),
  });
  const [led, ...more] = openLeds(undefined, root.path);
  t.equal(more.length, 0, 'there is no LED 3 without an LED 2');
  t.same(led?.colors, ['RED', 'AMBER', 'GREEN']);
  const shown = async (color: 'RED' | 'AMBER' | 'GREEN' | 'OFF') => {
    await led?.set(color);
    return ['red', 'green'].map((one) => root.read(`${one}:indicator-1`, 'brightness'));
  };
  t.same(await shown('GREEN'), ['0', '255']);
  t.same(await shown('RED'), ['1', '0']);
  t.same(await shown('AMBER'), ['1', '255']);
  t.same(await shown('OFF'), ['0', '0']);
});

t.test('names of the board', async (t) => {
  const root = new Root(t, {
    status: multicolor(),
    'board:red': plain(),
    'board:amber': plain(),
  });
  const leds = openLeds('status,red=board:red+amber=board:amber', root.path);
  t.same(
    leds.map(({ colors }) => colors),
    [
      ['RED', 'AMBER', 'GREEN'],
      ['RED', 'AMBER'],
    ],
  );
  await leds[1]?.set('AMBER');
  t.equal(root.read('board:amber', 'brightness'), '1');
  t.equal(root.read('board:red', 'brightness'), '0', 'an amber LED of its own shows amber');
  await t.rejects(Promise.resolve(leds[1]?.set('GREEN')), {
    code: 'UNAVAILABLE',
    message: 'LED 2: it has no GREEN',
  });

  t.same(openLeds('', root.path), [], 'none, if the board has none for applications');
  for (const [text, message] of [
    ['../x', '--leds: "../x" is not the name of an LED'],
    ['red=..', '--leds: ".." is not the name of an LED'],
    ['blue=a', '--leds: "blue" is not one of red, amber, green'],
    ['a,b,c,d', '--leds: there are at most 3'],
  ] as const) {
    t.throws(() => openLeds(text, root.path), { code: 'CONFIG', message });
  }
});

t.test('a trigger of the kernel lets go of the LED', async (t) => {
  const root = new Root(t, {
    one: multicolor({ trigger: 'none timer [heartbeat]\n' }),
    two: plain({ trigger: 'none [timer]\n' }),
  });
  const [one, two] = openLeds('one,red=two', root.path);
  await one?.set('RED');
  await two?.set('RED');
  t.equal(root.read('one', 'trigger'), 'none');
  t.equal(root.read('two', 'trigger'), 'none');
});

t.test('what fails is an error that names the LED and the file', async (t) => {
  const root = new Root(t, { one: multicolor(), two: multicolor({ multi_index: 'blue white\n' }) });
  const [one, two, three] = openLeds('one,two,green=three', root.path);
  rmSync(join(root.path, 'one', 'brightness'));
  await t.rejects(Promise.resolve(one?.set('RED')), {
    code: 'UNAVAILABLE',
    message: /^LED 1: ENOENT.*brightness/,
  });
  await t.rejects(Promise.resolve(one?.set('OFF')), { message: /^LED 1: ENOENT.*brightness/ });
  await t.rejects(Promise.resolve(two?.set('RED')), {
    code: 'UNAVAILABLE',
    message: 'LED 2: blue, white give no RED',
  });
  await t.rejects(Promise.resolve(three?.set('GREEN')), { message: /^LED 3: ENOENT/ });
});

t.test('the emulated device has three, and remembers what each of them shows', async (t) => {
  const { leds } = await openEmulatedPlatform({
    stateDir: temporaryFolder(t),
    bootId: '',
    log: createLogger('test', { level: 'silent' }),
  });
  await leds[1]?.set('AMBER');
  t.match(leds, [{ shown: 'OFF' }, { shown: 'AMBER' }, { shown: 'OFF' }]);
});
