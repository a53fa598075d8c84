/** Time zone and NTP server of the emulated device. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import t from 'tap';
import { NtpWatch } from '../../src/platform/ntp-watch.js';
import {
  displayNames,
  nameOfZone,
  shortNames,
  zoneOfName,
} from '../../src/reader-gateway/time-zones/time-zones.js';
import { TestReader, until } from './reader.js';

t.test('every name of the interface has a zone, and every display name its own', async (t) => {
  t.equal(displayNames().length, 95);
  t.equal(shortNames().length, 153);
  const zones = displayNames().map((name) => zoneOfName(name) as string);
  t.equal(new Set(zones).size, 95);
  for (const name of displayNames()) t.equal(nameOfZone(zoneOfName(name) as string), name);
  for (const name of [...displayNames(), ...shortNames()]) {
    const timeZone = zoneOfName(name) as string;
    t.doesNotThrow(() => new Intl.DateTimeFormat('en', { timeZone }), name);
  }
});

t.test('a place belongs to the display name it is part of', async (t) => {
  const expected: [string, string, string][] = [
    ['Berlin', 'Europe/Berlin', '(GMT+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna'],
    ['Tokyo', 'Asia/Tokyo', '(GMT+09:00) Osaka, Sapporo, Tokyo'],
    ['Dhaka', 'Asia/Dhaka', '(GMT+06:00) Almaty, Astana, Dhaka'],
    ['La Paz', 'America/La_Paz', '(GMT-04:00) Georgetown, La Paz, San Juan'],
    ['Arizona', 'America/Phoenix', '(GMT-07:00) Arizona'],
    ['Coordinated Universal Time', 'Etc/UTC', '(UTC) Coordinated Universal Time'],
  ];
  for (const [place, zone, name] of expected) {
    t.equal(zoneOfName(place), zone);
    t.equal(nameOfZone(zone), name);
  }
});

t.test('zones that somebody else set have the display name of their rules', async (t) => {
  t.match(nameOfZone('Europe/Oslo'), /Berlin/);
  t.match(nameOfZone('UTC'), /Coordinated/);
  t.match(nameOfZone('America/Detroit'), /Eastern Time/);
  t.equal(nameOfZone('Asia/Pyongyang'), 'Asia/Pyongyang', 'the interface has no name for it');
});

t.test('one reader', async (t) => {
  const reader = await TestReader.start(t);
  let { gateway } = reader;
  t.teardown(() => gateway.stop());
  const systemTime = async () => (await reader.call('GET', 'status')).json.systemTime as string;

  t.test('a time zone holds for the times that the reader tells', async (t) => {
    t.match(await reader.call('PUT', 'timeZone', { timeZone: 'Kathmandu' }), {
      status: 200,
      text: '',
    });
    t.match(await systemTime(), /\+05:45$/);
    t.same((await reader.call('GET', 'timeZone')).json, { timeZone: '(GMT+05:45) Kathmandu' });
    const timeZone = '(GMT-10:00) Hawaii';
    t.match(await reader.call('PUT', 'timeZone', { timeZone }), { status: 200 });
    t.match(await systemTime(), /-10:00$/);
    t.same((await reader.call('GET', 'timeZone')).json, { timeZone });
  });

  t.test(
    'a name that is not in the list is 422 with the reason, and changes nothing',
    async (t) => {
      const unknown = (name: string) =>
        `timeZone: "${name}" is not one of the names of GET /cloud/supportedTimeZoneList (get_supported_time_zone_list)`;
      const cases: [object, string][] = [
        [{ timeZone: 'Atlantis' }, unknown('Atlantis')],
        [{ timeZone: 'Asia/Tokyo' }, unknown('Asia/Tokyo')],
        [{ timeZone: 5 }, 'timeZone: 5 is not a text'],
        [{}, 'timeZone: is required'],
      ];
      for (const [body, message] of cases) {
        const { status, json } = await reader.call('PUT', 'timeZone', body);
        t.same({ status, json }, { status: 422, json: { code: 1, message } });
      }
      t.same((await reader.call('GET', 'timeZone')).json, { timeZone: '(GMT-10:00) Hawaii' });
    },
  );

  t.test('the list has every name that can be set', async (t) => {
    const { SupportedTimeZones: zones } = (await reader.call('GET', 'supportedTimeZoneList')).json;
    type Zone = { name: string; zone: string; places: { name: string; zone: string }[] };
    const listed = (zones as Zone[]).flatMap(({ places, ...zone }) => [zone, ...places]);
    t.same(listed.map(({ name }) => name).sort(), [...displayNames(), ...shortNames()].sort());
    for (const { name, zone } of listed) t.equal(zoneOfName(name), zone);
    const { paths, components } = (await reader.call('GET', 'openapi.json')).json;
    t.equal(paths['/cloud/timeZone'].put.requestBody.required, true);
    const { timeZone } = components.schemas.SetTimeZone.properties;
    t.same([...timeZone.enum].sort(), listed.map(({ name }) => name).sort());
  });

  t.test('an NTP server is a host name or an address', async (t) => {
    t.same((await reader.call('GET', 'ntpServer')).json, { server: '' });
    t.match((await reader.call('GET', 'status')).json, { ntp: { offset: 0, reach: 0 } });
    for (const server of ['', 'a b', '300.1.1.1', 'x;reboot', '-pool.example', '::zz']) {
      t.match(await reader.call('PUT', 'ntpServer', { server }), {
        status: 400,
        json: { code: 1, message: /^server: .* is not a host name or an IP address/ },
      });
    }
    for (const server of ['127.0.0.1', '::1', 'localhost']) {
      t.match(await reader.call('PUT', 'ntpServer', { server }), { status: 200 });
      t.same((await reader.call('GET', 'ntpServer')).json, { server });
    }
  });

  t.test('both last across a restart', async (t) => {
    await gateway.stop();
    process.env.TZ = 'Etc/UTC';
    const next = await TestReader.start(t, { stateDir: reader.stateDir, radio: reader.radio });
    gateway = next.gateway;
    t.same((await next.call('GET', 'timeZone')).json, { timeZone: '(GMT-10:00) Hawaii' });
    t.match((await next.call('GET', 'status')).json.systemTime, /-10:00$/);
    t.same((await next.call('GET', 'ntpServer')).json, { server: 'localhost' });
  });
});

/** Answers as an NTP server whose clock is ahead. */
async function ntpServer(aheadMs: number) {
  const socket = createSocket('udp4');
  const server = { port: 0, asked: 0, silent: false, stratum: 2, close: () => socket.close() };
  const stamp = (packet: Buffer, at: number) => {
    const seconds = (Date.now() + aheadMs) / 1000 + 2_208_988_800;
    packet.writeUInt32BE(Math.floor(seconds) % 2 ** 32, at);
    packet.writeUInt32BE(Math.floor((seconds % 1) * 2 ** 32), at + 4);
  };
  socket.on('message', (question, from) => {
    server.asked++;
    if (server.silent) return;
    const answer = Buffer.alloc(48);
    answer[0] = 0x24;
    answer[1] = server.stratum;
    question.copy(answer, 24, 40, 48);
    stamp(answer, 32);
    stamp(answer, 40);
    socket.send(answer, from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  server.port = socket.address().port;
  return server;
}

t.test('the figures of NTP are those of the server', async (t) => {
  const server = await ntpServer(2500);
  t.teardown(() => server.close());
  const watch = new NtpWatch({ port: server.port, pollMs: 10, timeoutMs: 100 });
  t.teardown(() => watch.stop());
  t.same(watch.read(), { offset: 0, reach: 0 });
  watch.watch('127.0.0.1');
  await until('eight good polls', () => watch.read().reach === 377);
  const { offset } = watch.read();
  t.ok(Math.abs(offset - 2500) < 200, `${offset} ms`);

  server.silent = true;
  await until('polls without an answer', () => watch.read().reach % 10 === 0);
  t.ok(Math.abs(watch.read().offset - 2500) < 200, 'the last good answer stays');
  server.silent = false;
  // A server that is not synchronised itself is none.
  server.stratum = 0;
  await until('no good poll', () => watch.read().reach === 0);
  t.same(watch.read(), { offset: 0, reach: 0 }, 'an old offset is not known any more');
  server.stratum = 2;
  await until('good polls again', () => watch.read().reach > 0);
  t.ok(Math.abs(watch.read().offset - 2500) < 200);
  watch.watch('localhost');
  t.same(watch.read(), { offset: 0, reach: 0 }, 'another server begins again');
});
