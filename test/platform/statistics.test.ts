/** Statistics of a machine, read from a /proc and a /sys of the test's own. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import t, { type Test } from 'tap';
import { CpuMeter } from '../../src/platform/cpu.js';
import { readMemory } from '../../src/platform/memory.js';
import { readStorage } from '../../src/platform/storage.js';
import { readTemperature } from '../../src/platform/temperature.js';

/** Files of a machine, by their paths. */
function machine(t: Test, files: Record<string, string>): string {
  const root = t.testdir({});
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return root;
}

t.test('memory that programs can still get is free, with the caches', (t) => {
  const root = machine(t, {
    'proc/meminfo': 'MemTotal:         500000 kB\nMemFree:  100000 kB\nMemAvailable:  300000 kB\n',
  });
  t.same(readMemory(root), { total: 512_000_000, free: 307_200_000, used: 204_800_000 });
  t.end();
});

t.test('the load is that since the start, and then between two readings', (t) => {
  const root = machine(t, { 'proc/stat': 'cpu  100 100 50 700 0 25 25 0 0 0\ncpu0 1 2 3\n' });
  const meter = new CpuMeter(root);
  t.same(meter.read(), { user: 20, system: 10 }, 'since the start');
  const write = (line: string) => writeFileSync(join(root, 'proc/stat'), `${line}\n`);
  write('cpu  150 100 50 720 30 25 25 0 0 0');
  t.same(meter.read(), { user: 50, system: 0 }, 'a wait for the disk is not load');
  write('cpu  151 100 50 721 30 25 25 0 0 0');
  t.same(meter.read(), { user: 50, system: 0 }, 'too short a time says nothing');
  write('cpu  151 100 90 761 30 25 45 0 0 0');
  t.same(meter.read(), { user: 1, system: 59 });
  t.end();
});

t.test('the temperature is that of the warmest zone that can be read', (t) => {
  const zone = (number: number) => `sys/class/thermal/thermal_zone${number}/temp`;
  const root = machine(t, {
    [zone(0)]: '41500\n',
    [zone(1)]: '55600\n',
    [zone(2)]: '',
    'sys/class/thermal/cooling_device0/temp': '99000\n',
    'sys/class/hwmon/hwmon0/temp1_input': '80000\n',
  });
  mkdirSync(join(root, 'sys/class/thermal/thermal_zone3'));
  t.equal(readTemperature(root), 56);
  t.end();
});

t.test('without zones it is that of the warmest sensor, and without sensors 0', (t) => {
  const root = machine(t, {
    'sys/class/hwmon/hwmon0/temp1_input': '-5000\n',
    'sys/class/hwmon/hwmon0/in1_input': '9000000\n',
    'sys/class/hwmon/hwmon1/temp2_input': '36400\n',
  });
  t.equal(readTemperature(root), 36);
  t.equal(readTemperature(machine(t, { 'sys/other': '' })), 0);
  t.end();
});

t.test(
  'storage is that of the file system of a path; there is none on one that is not there',
  async (t) => {
    const here = await readStorage(t.testdir({}));
    t.ok(here.total > 0 && here.free <= here.total && here.used <= here.total);
    t.same(await readStorage('/no/such/path'), { total: 0, free: 0, used: 0 });
  },
);
