/** Places of a door whose strangers all use theirs: those that are kept are for known addresses. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import t, { type Test } from 'tap';
import { doorCounts } from '../../src/shared/arrivals/door-counts.js';
import { KnownClients } from '../../src/shared/arrivals/known-clients.js';
import { Places } from '../../src/shared/arrivals/places.js';

/** A door with these limits, and clients that come to it. */
async function door(t: Test, places: Places) {
  const server = createServer().listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  /** @returns undefined: it was refused. */
  return async (localAddress: string) => {
    const accepted = once(server, 'connection');
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    socket.on('error', () => {});
    t.teardown(() => socket.destroy());
    const [other] = (await accepted) as [Socket];
    return places.take(other);
  };
}

t.test(
  'places are kept for known addresses, and no longer than what they showed holds',
  async (t) => {
    const known = new KnownClients();
    const limits = { all: 4, perClient: 3, kept: 1, early: 4, handshakeMs: 60_000 };
    const { refused } = doorCounts('test');
    const places = new Places(limits, known, doorCounts('test'));
    const come = await door(t, places);
    known.saw('127.0.0.9');
    for (const source of [2, 3, 4]) {
      const place = await come(`127.0.0.${source}`);
      if (place !== undefined) place.uses++;
    }
    t.equal(await come('127.0.0.5'), undefined, 'the kept one is not for strangers');
    t.equal(refused.places, 1);
    const place = await come('127.0.0.9');
    t.ok(place, 'it is for a known address');
    t.equal(await come('127.0.0.9'), undefined, 'nobody makes room who uses his');
    t.equal(refused.places, 2);

    place?.socket.destroy();
    if (place !== undefined) await once(place.socket, 'close');
    known.forgetAll();
    t.equal(await come('127.0.0.9'), undefined, 'it is a stranger now');
  },
);

t.test(
  'no address has more than its share; of its own the one without a word makes room',
  async (t) => {
    const limits = { all: 9, perClient: 2, kept: 0, early: 9, handshakeMs: 60_000 };
    const places = new Places(limits, new KnownClients(), doorCounts('another test'));
    const come = await door(t, places);
    const first = await come('127.0.0.1');
    const second = await come('127.0.0.1');
    if (second !== undefined) second.isSilent = false;
    const third = await come('127.0.0.1');
    t.ok(third);
    t.ok(first?.socket.destroyed, 'the silent one is gone');
    t.notOk(second?.socket.destroyed);
    if (third !== undefined) third.isSilent = false;
    t.equal(await come('127.0.0.1'), undefined);
    t.match(doorCounts('another test').refused, { client: 1, replaced: 1 });
  },
);
