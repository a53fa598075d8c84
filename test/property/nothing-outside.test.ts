/** What random requests could reach outside of the reader is out of reach. */
// alone: what the process could reach outside is cut off for good.
import { execFile, spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { open, rename, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { temporaryFolder } from '../gateway/reader.js';
import { cutOutside } from './nothing-outside.js';

t.test('one folder and the own servers are left', async (t) => {
  const folder = temporaryFolder(t);
  const inside = join(folder, 'file');
  const outside = `${folder}-of-others`;
  const strangers = createServer((socket) => socket.destroy());
  await new Promise<void>((done) => strangers.listen(0, '127.0.0.1', done));
  const strange = (strangers.address() as AddressInfo).port;
  const { attempts } = await cutOutside(folder);
  const errorOf = (port: number, host: string) =>
    new Promise<unknown>((done) => {
      const socket = connect(port, host);
      socket.on('error', ({ code }: NodeJS.ErrnoException) => done(code));
      socket.on('connect', () => {
        socket.destroy();
        done('connected');
      });
    });

  await t.test('files', async (t) => {
    await writeFile(inside, 'a');
    t.equal(readFileSync(inside, 'utf8'), 'a');
    await t.rejects(async () => writeFile(outside, 'a'), { code: 'EPERM' });
    await t.rejects(async () => open(outside, 'w'), { code: 'EPERM' });
    await t.rejects(async () => rename(inside, outside), { code: 'EPERM' });
    t.throws(() => writeFileSync(outside, 'a'), { code: 'EPERM' });
    t.notOk(existsSync(outside));
  });

  await t.test('processes', async (t) => {
    t.throws(() => execFile('true'), { code: 'EPERM' });
    t.throws(() => spawnSync('true'), { code: 'EPERM' });
    t.throws(() => process.kill(process.pid, 0), { code: 'EPERM' });
  });

  await t.test('the network', async (t) => {
    const own = createServer((socket) => socket.destroy());
    await new Promise<void>((done) => own.listen(0, '127.0.0.1', done));
    t.equal(await errorOf((own.address() as AddressInfo).port, '127.0.0.1'), 'connected');
    own.close();
    t.equal(await errorOf(strange, '127.0.0.1'), 'ECONNREFUSED');
    t.equal(await errorOf(80, '192.0.2.1'), 'ECONNREFUSED');
    await t.rejects(lookup('localhost'), { code: 'ENOTFOUND' });
    const udp = createSocket('udp4');
    t.throws(() => udp.send('a', 123, '127.0.0.1'), { code: 'ENETUNREACH' });
    const everywhere = createServer();
    const refused = new Promise((done) => everywhere.on('error', done));
    everywhere.listen(0, '0.0.0.0');
    t.match(await refused, { code: 'EADDRNOTAVAIL' });
  });

  t.equal(attempts.length, 7, 'files and processes are what a test must not try');
  strangers.close();
});
