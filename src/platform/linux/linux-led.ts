/**
 * LEDs of the kernel's LED class. A light is one multicolour LED, or one LED for each of its
 * colours; amber is then red and green together, unless it has an LED of its own.
 */
import { constants, existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { configError, errorMessage, SingulateError } from '../../shared/errors.js';
import { LED_COLORS, type Led, type LedColor } from '../adapters.js';

const ROOT = '/sys/class/leds';
const MAX_LEDS = 3;
/** Of amber by a red and a green LED that can be dimmed: green is the brighter one to the eye. */
const GREEN_OF_AMBER = 0.5;
/** Attributes of sysfs are never made, only written. */
const WRITE = constants.O_WRONLY | constants.O_TRUNC;

type Names = { multicolor: string } | { [color in Lowercase<LedColor>]?: string };

/**
 * @param text `NAME` of a multicolour LED or `red=NAME+green=NAME+amber=NAME`, for LED 1, 2 and 3
 * with commas between; left out: `multicolor:indicator-1` or `red:indicator-1` and so on, as far
 * as the system has them.
 * @throws CONFIG
 */
export function openLeds(text: string | undefined, root = ROOT): Led[] {
  const found = text === undefined ? usualNames(root) : parseNames(text);
  return found.map((names, index) => {
    const what = `LED ${index + 1}`;
    if ('multicolor' in names) return new MulticolorLed(what, join(root, names.multicolor));
    const folders = Object.entries(names).map(([color, name]) => [color, join(root, name)]);
    return new SeparateLeds(what, new Map(folders as [Lowercase<LedColor>, string][]));
  });
}

/** As the kernel names LEDs of the device tree: colour, function and its number. */
function usualNames(root: string): Names[] {
  const all: Names[] = [];
  for (let number = 1; number <= MAX_LEDS; number++) {
    const named = (color: string) => `${color}:indicator-${number}`;
    const there = (name: string) => existsSync(join(root, name));
    const separate = LED_COLORS.map((color) => color.toLowerCase())
      .filter((color) => there(named(color)))
      .map((color) => [color, named(color)]);
    const multicolor = ['multicolor', 'rgb'].map(named).find(there);
    if (multicolor !== undefined) all.push({ multicolor });
    else if (separate.length > 0) all.push(Object.fromEntries(separate) as Names);
    // Numbers have no gaps.
    else break;
  }
  return all;
}

function parseNames(text: string): Names[] {
  const wrong = (what: string) => configError(`--leds: ${what}`);
  const entries = text.split(',').filter((entry) => entry !== '');
  if (entries.length > MAX_LEDS) throw wrong(`there are at most ${MAX_LEDS}`);
  const named = (name: string) => {
    // A name is a folder of the LED class, and nothing else.
    if (name !== '' && !name.includes('/') && !name.startsWith('.')) return name;
    throw wrong(`"${name}" is not the name of an LED`);
  };
  return entries.map((entry) => {
    if (!entry.includes('=')) return { multicolor: named(entry) };
    const colors: Record<string, string> = {};
    for (const part of entry.split('+')) {
      const [color = '', name = ''] = part.split('=', 2);
      if (!LED_COLORS.some((one) => one.toLowerCase() === color)) {
        throw wrong(`"${color}" is not one of red, amber, green`);
      }
      colors[color] = named(name);
    }
    return colors as Names;
  });
}

class MulticolorLed implements Led {
  readonly colors = LED_COLORS;

  constructor(
    private readonly what: string,
    private readonly folder: string,
  ) {}

  set(color: LedColor | 'OFF'): Promise<void> {
    return attempt(this.what, async () => {
      if (color === 'OFF') return light(this.folder, 0);
      const max = await maxBrightness(this.folder);
      const index = (await read(this.folder, 'multi_index')).split(/\s+/);
      const wanted = intensities(color, index, max);
      if (!wanted.some((one) => one > 0)) throw new Error(`${index.join(', ')} give no ${color}`);
      await freeOfTrigger(this.folder);
      await write(this.folder, 'multi_intensity', wanted.join(' '));
      await write(this.folder, 'brightness', String(max));
    });
  }
}

/** Of each colour of a multicolour LED, in the order of the LED. */
function intensities(color: LedColor, index: readonly string[], max: number): number[] {
  const own = color.toLowerCase();
  if (index.includes(own)) return index.map((one) => (one === own ? max : 0));
  if (color !== 'AMBER' || !index.includes('red') || !index.includes('green')) {
    return index.map(() => 0);
  }
  const green = Math.max(1, Math.round(max * GREEN_OF_AMBER));
  return index.map((one) => (one === 'red' ? max : one === 'green' ? green : 0));
}

class SeparateLeds implements Led {
  readonly colors: readonly LedColor[];
  readonly #folders: ReadonlyMap<Lowercase<LedColor>, string>;

  constructor(
    private readonly what: string,
    folders: ReadonlyMap<Lowercase<LedColor>, string>,
  ) {
    this.#folders = folders;
    this.colors = LED_COLORS.filter((color) => this.#parts(color).every((one) => folders.has(one)));
  }

  set(color: LedColor | 'OFF'): Promise<void> {
    return attempt(this.what, async () => {
      if (color !== 'OFF' && !this.colors.includes(color)) throw new Error(`it has no ${color}`);
      const lit = color === 'OFF' ? [] : this.#parts(color);
      // First what goes out, so that no third colour shows in between.
      for (const [one, folder] of this.#folders) if (!lit.includes(one)) await light(folder, 0);
      for (const one of lit) {
        const folder = this.#folders.get(one) as string;
        await freeOfTrigger(folder);
        await light(folder, await maxBrightness(folder));
      }
    });
  }

  #parts(color: LedColor): Lowercase<LedColor>[] {
    if (color === 'AMBER' && !this.#folders.has('amber')) return ['red', 'green'];
    return [color.toLowerCase() as Lowercase<LedColor>];
  }
}

/** 0 ends the trigger of an LED as well. */
function light(folder: string, brightness: number): Promise<void> {
  return write(folder, 'brightness', String(brightness));
}

/** A trigger of the kernel would go on with the LED whatever is written. */
async function freeOfTrigger(folder: string): Promise<void> {
  if (!(await read(folder, 'trigger')).includes('[none]')) await write(folder, 'trigger', 'none');
}

async function maxBrightness(folder: string): Promise<number> {
  const max = Number(await read(folder, 'max_brightness'));
  return Number.isInteger(max) && max > 0 ? max : 1;
}

async function read(folder: string, file: string): Promise<string> {
  return (await readFile(join(folder, file), 'utf8')).trim();
}

function write(folder: string, file: string, text: string): Promise<void> {
  return writeFile(join(folder, file), text, { flag: WRITE });
}

async function attempt(what: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw new SingulateError('UNAVAILABLE', `${what}: ${errorMessage(error)}`);
  }
}
