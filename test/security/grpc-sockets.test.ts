import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { status } from '@grpc/grpc-js';
import t from 'tap';
import { startRadioControl } from '../oem/radio-control.js';
import { complaint, refusal, shortFolder, socketClient } from './grpc.js';

const mode = (path: string) => (statSync(path).mode & 0o7777).toString(8);

t.test('the socket is for the service and its group, and who opens it is an admin', async (t) => {
  const service = await startRadioControl(t);
  t.equal(mode(join(service.folder, 'radio.sock')), '660');
  const client = socketClient(t, service.target);
  t.equal(await refusal(client.setLogLevel({ level: 5 })), undefined);
});

t.test('mode and group of the socket are as the options say', async (t) => {
  const group = process.getgid?.() as number;
  const service = await startRadioControl(t, [
    ...['--socket-mode', '0600', '--socket-group', String(group)],
  ]);
  const path = join(service.folder, 'radio.sock');
  t.equal(mode(path), '600');
  t.equal(statSync(path).gid, group);
});

t.test('who opens the socket of observers may look, not touch', async (t) => {
  const path = join(shortFolder(t), 'eyes.sock');
  await startRadioControl(t, ['--observer-socket', path]);
  t.equal(mode(path), '666');
  const client = socketClient(t, `unix:${path}`);
  t.equal(await refusal(client.getStatus()), undefined);
  t.match(await refusal(client.stopInventory()), {
    code: status.PERMISSION_DENIED,
    details: /^StopInventory needs the role controller; observer-socket-\d+ has the role observer$/,
  });
  t.match(await refusal(client.setLogLevel({ level: 5 })), { code: status.PERMISSION_DENIED });
});

t.test('the socket of observers has a mode of its own, and goes with the service', async (t) => {
  const path = join(shortFolder(t), 'eyes.sock');
  const service = await startRadioControl(t, [
    ...['--observer-socket', path, '--observer-socket-mode', '660'],
  ]);
  t.equal(mode(path), '660');
  service.kill('SIGTERM');
  t.equal(await service.exit, 0);
  t.notOk(existsSync(path));
});

t.test('a file that is no socket is left alone', async (t) => {
  const path = join(shortFolder(t), 'notes.txt');
  writeFileSync(path, 'mine');
  const text = await complaint(t, ['--observer-socket', path]);
  t.match(text, `--observer-socket: ${path} is there already and is no socket`);
  t.ok(existsSync(path));
});

t.test('a wrong mode, group or path is one clear line', async (t) => {
  const cases: [string[], string | RegExp][] = [
    [['--socket-mode', '0777'], '--socket-mode: 0777 given; allowed: 0600, 0660, 0666'],
    [['--socket-mode', 'rw'], '--socket-mode: rw given; allowed: 0600, 0660, 0666'],
    [['--socket-group', 'no-such-group'], '--socket-group: /etc/group has no group no-such-group'],
    [['--observer-socket', `/tmp/${'x'.repeat(120)}`], 'is too long for a socket; at most 107'],
    [['--observer-socket-mode', '0666'], '--observer-socket-mode is for --observer-socket'],
    [
      ['--observer-socket', '/no/such/folder/s'],
      'gRPC cannot listen on --observer-socket /no/such',
    ],
  ];
  for (const [args, text] of cases) t.match(await complaint(t, args), text);
});
