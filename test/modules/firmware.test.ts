/** Firmware is loaded into a module. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import {
  type LoadProgress,
  loadFirmware,
  readFirmware,
} from '../../src/radio-control/serial/firmware.js';
import { probeLine } from '../../src/radio-control/serial/probe.js';
import { run } from '../cli/command.js';
import { emulated } from './emulated.js';

function firmware({ magic = 'TM-SPaik', sector = 2, image = 1000, claimed = 1000 } = {}): Buffer {
  const header = Buffer.alloc(16);
  header.write(magic, 'latin1');
  header.writeUInt32BE(sector, 8);
  header.writeUInt32BE(claimed, 12);
  return Buffer.concat([header, Buffer.alloc(image, 0x5a)]);
}

for (const profile of ['m7e', 'silion']) {
  t.test(`into ${profile}: every step is told, and the module runs afterwards`, async (t) => {
    const { path } = await emulated(t, { profile });
    const told: LoadProgress[] = [];
    const image = readFirmware(firmware());
    const module = await loadFirmware(path, image, (progress) => told.push(progress));
    t.match(module, { family: 'mercury', program: 'application', baud: 115_200 });
    t.same(
      told.map(({ step, bytes }) => `${step} ${bytes}`),
      [
        'bootloader 0',
        'erase 0',
        ...[0, 240, 480, 720, 960].map((at) => `write ${at}`),
        'verify 1000',
        'start 1000',
      ],
    );
    t.match(await probeLine(path), { program: 'application' }, 'the line is free');
  });
}

t.test('a file that is no firmware touches no module', async (t) => {
  const cases: [Buffer, RegExp][] = [
    [Buffer.from('hello'), /it is no firmware of a Mercury module/],
    [firmware({ magic: 'TM-Other' }), /it is no firmware/],
    [firmware({ sector: 1 }), /only application firmware can be loaded/],
    [firmware({ claimed: 5000 }), /cut short: 1000 bytes of an image of 5000/],
  ];
  const { path, emulator } = await emulated(t);
  for (const [content, message] of cases) {
    const load = fileWith(t, content);
    const { code, stderr } = await run('modules', 'load', load, '--port', path, '--json');
    t.match({ code, stderr }, { code: 2, stderr: message });
  }
  t.equal(emulator.counters().commands, 0);
});

t.test('a module that falls silent on the way is told with the step', async (t) => {
  const { path, emulator } = await emulated(t);
  const load = loadFirmware(path, readFirmware(firmware()), ({ step, bytes }) => {
    if (step === 'write' && bytes === 480) emulator.inject('unplug');
  });
  await t.rejects(load, /writing at \d+: /);
  emulator.inject('replug');
});

function fileWith(t: Test, content: Buffer): string {
  const folder = mkdtempSync(join(tmpdir(), 'singulate-firmware-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'firmware.sim');
  writeFileSync(file, content);
  return file;
}
