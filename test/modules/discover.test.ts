/** `singulate modules`: which modules are on serial lines. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { RadioState } from '../../src/contract/messages.js';
import { sysfsPorts } from '../../src/radio-control/serial/sysfs-ports.js';
import { run, runAlone } from '../cli/command.js';
import { emulated, listen, radioOn, until } from './emulated.js';

const modules = (...args: string[]) => run('modules', ...args);

t.test('each kind of module is found, and its line let go of', async (t) => {
  for (const [profile, model, hardware] of [
    ['m7e', 'M7e Hecto', '38.00.02.01'],
    ['m6e', 'M6e', '18.00.00.01'],
    ['nano', 'M6e Nano', '30.00.00.02'],
  ] as const) {
    const { path } = await emulated(t, { profile });
    for (const _ of [1, 2]) {
      const { code, stdout } = await modules(path, '--json');
      t.equal(code, 0);
      t.match(JSON.parse(stdout), [
        {
          path,
          module: { family: 'mercury', model, hardware, baud: 115_200, program: 'application' },
        },
      ]);
    }
    const text = await modules(path);
    t.match(text.stdout, `mercury  ${model}, hardware ${hardware}, firmware 1.9.2.3, 115200 baud`);
    t.match(text.stdout, `singulate --radio mercury:${path}`);
  }
});

t.test('a module that is in use is left alone; one whose host died is found', async (t) => {
  const { path } = await emulated(t);
  const { client, service } = await radioOn(t, path);
  await until(
    async () => (await client.getStatus()).state === RadioState.RADIO_STATE_IDLE,
    'the module is connected',
  );
  const reads = await listen(t, client);
  await client.startInventory({ plan: {}, owner: 'test' });
  await until(() => reads.length > 0, 'tags are read');
  const inUse = await modules(path, '--json');
  t.equal(inUse.code, 1);
  t.match(JSON.parse(inUse.stdout), [{ path, fault: 'in use by another program' }]);
  t.equal((await client.getStatus()).state, RadioState.RADIO_STATE_READING, 'it reads on');

  service.kill('SIGKILL');
  await service.exit;
  const { stdout } = await runAlone('modules', path, '--json');
  t.match(
    JSON.parse(stdout),
    [{ path, module: { family: 'mercury', baud: 921_600 } }],
    'it still reads for the dead host, at the rate that it was raised to',
  );
});

t.test('a Silion module waits in its bootloader, and still reads when its host dies', async (t) => {
  const { path } = await emulated(t, { profile: 'silion' });
  const look = async () => JSON.parse((await modules(path, '--json')).stdout);
  const silion = { family: 'mercury', model: 'Silion' };
  t.match(await look(), [{ path, module: { ...silion, program: 'bootloader', baud: 115_200 } }]);
  const { client, service } = await radioOn(t, path);
  await until(
    async () => (await client.getStatus()).state === RadioState.RADIO_STATE_IDLE,
    'the module is connected',
  );
  const reads = await listen(t, client);
  await client.startInventory({ plan: {}, owner: 'test' });
  await until(() => reads.length > 0, 'tags are read');
  service.kill('SIGKILL');
  await service.exit;
  t.match(await look(), [{ path, module: { ...silion, program: 'application', baud: 921_600 } }]);
});

t.test('what is no module, or no line, has its own words', async (t) => {
  const { code, stdout } = await modules('/dev/null', '/dev/no-such-line');
  t.equal(code, 1);
  t.match(stdout, /\/dev\/null .* is no serial line/);
  t.match(stdout, /\/dev\/no-such-line .* there is no such line/);
  t.match(await modules('--baud', '9600'), { code: 2, stderr: /unknown option --baud/ });
  t.match(await modules('load'), { code: 2, stderr: /modules load needs a value/ });
  t.match(await modules('--port', '/dev/null'), { code: 2, stderr: /--port is for: modules load/ });
});

t.test('without udev the lines are those with hardware, as the kernel shows them', async (t) => {
  const root = mkdtempSync(join(tmpdir(), 'singulate-sysfs-'));
  t.teardown(() => rmSync(root, { recursive: true, force: true }));
  const at = (...path: string[]) => join(root, 'sys', ...path);
  const usb = at('devices/usb1/1-1');
  const drivers = ['ch341-uart', 'serial8250', 'pl011'];
  for (const driver of drivers) mkdirSync(at('bus/drivers', driver), { recursive: true });
  const tty = (name: string, device: string, driver: string) => {
    mkdirSync(device, { recursive: true });
    symlinkSync(at('bus/drivers', driver), join(device, 'driver'));
    mkdirSync(at('class/tty', name), { recursive: true });
    symlinkSync(device, at('class/tty', name, 'device'));
  };
  tty('ttyUSB0', join(usb, '1-1:1.0/ttyUSB0'), 'ch341-uart');
  tty('ttyS0', at('devices/platform/serial8250'), 'serial8250');
  tty('ttyAMA0', at('devices/platform/uart0'), 'pl011');
  mkdirSync(at('class/tty/console'), { recursive: true });
  writeFileSync(join(usb, 'idVendor'), '1a86\n');
  writeFileSync(join(usb, 'idProduct'), '7523\n');
  t.same(sysfsPorts(root), [
    { path: '/dev/ttyAMA0' },
    { path: '/dev/ttyUSB0', vendorId: '1a86', productId: '7523' },
  ]);
});
