/** A PFX says itself how often its password is hashed. */
import t from 'tap';
import { pfxOf, selfSigned } from './certificates.js';
import { TestReader } from './reader.js';

const COUNT = 0x1234;

t.test(
  'a PFX whose password would be hashed for hours is given up, and holds up nothing',
  async (t) => {
    const reader = await TestReader.start(t);
    t.teardown(() => reader.gateway.stop());
    const pfx = withEndlessMac(pfxOf(selfSigned({ name: 'slow' }), 'x', [], { count: COUNT }));
    let answer: Awaited<ReturnType<TestReader['call']>> | undefined;
    const asked = reader
      .call('PUT', 'certificates/slow', {
        type: 'client',
        pfxContent: pfx.toString('base64'),
        pfxPassword: 'x',
      })
      .then((given) => {
        answer = given;
      });
    for (let call = 0; call < 5; call++) {
      t.match(await reader.call('GET', 'certificates'), { status: 200 });
    }
    t.equal(answer, undefined, 'others are answered meanwhile');
    await asked;
    t.match(answer, { status: 400, json: { code: 1, message: /^pfxContent: takes too long/ } });
  },
);

/** The count of the MAC ends the file, in a sequence of its own: it grows from two bytes to four. */
function withEndlessMac(pfx: Buffer): Buffer {
  const old = Buffer.from([2, 2, COUNT >> 8, COUNT & 0xff]);
  if (!pfx.subarray(-old.length).equals(old)) throw new Error('the count is not at the end');
  const count = Buffer.from([2, 4, 0x7f, 0xff, 0xff, 0xff]);
  const changed = Buffer.concat([pfx.subarray(0, -old.length), count]);
  const grown = count.length - old.length;
  changed.writeUInt16BE(changed.readUInt16BE(2) + grown, 2);
  for (let at = changed.length - 30; at > 0; at--) {
    const length = changed[at + 1] ?? 0;
    if (changed[at] === 0x30 && at + 2 + length + grown === changed.length) {
      changed[at + 1] = length + grown;
      return changed;
    }
  }
  throw new Error('the MAC is not where it should be');
}
