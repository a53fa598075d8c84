/** Control fields, and EPCs that have no other URI than the raw one. */
import fc from 'fast-check';
import t from 'tap';
import { encodeEpc } from '../../src/radio-control/scenario/epc.js';
import { epcUris } from '../../src/reader-gateway/epc/epc-uris.js';
import { epcOf, pcOf } from './epc-bits.js';

const SGTIN = '3066C4409047E140075BCD15';
const SGTIN_BODY = 'sgtin-96:3.95060001343.05.123456789';
const UNKNOWN = '1234567890ABCDEF01234567';

const bytes = (hex: string) => Buffer.from(hex, 'hex');

type Asserts = Pick<typeof t, 'same'>;
type Check = (name: string, epc: Uint8Array) => void;

/** A check that an EPC has the raw URI only. */
const rawCheck =
  (t: Asserts): Check =>
  (name, epc) => {
    const raw = `urn:epc:raw:${epc.length * 8}.x${Buffer.from(epc).toString('hex').toUpperCase()}`;
    t.same(epcUris(pcOf(epc), undefined, epc), { tagUri: raw, epcUri: raw }, name);
  };

t.test('control fields stand in front, sorted by name; those of zero are left out', async (t) => {
  const rawOf = (pc: number, xpc?: number) => epcUris(pc, xpc, bytes(UNKNOWN)).epcUri;
  t.equal(rawOf(0x3000), `urn:epc:raw:96.x${UNKNOWN}`);
  t.equal(rawOf(0x3601, 4), `urn:epc:raw:[att=x01][umi=1][xpc=x0004]:96.x${UNKNOWN}`);
  t.equal(rawOf(0x34a0), `urn:epc:raw:[att=xA0][umi=1]:96.x${UNKNOWN}`);
  t.equal(rawOf(0x3200, 0x80a4), `urn:epc:raw:[xpc=x80A4]:96.x${UNKNOWN}`);
  t.equal(rawOf(0x3200, 0), `urn:epc:raw:96.x${UNKNOWN}`);
});

t.test('a tag URI has control fields, a pure identity has none', async (t) => {
  t.same(epcUris(0x3601, 0x0104, bytes(SGTIN)), {
    tagUri: `urn:epc:tag:[att=x01][umi=1][xpc=x0104]:${SGTIN_BODY}`,
    epcUri: 'urn:epc:id:sgtin:95060001343.05.123456789',
  });
});

t.test('without XI the low byte of the PC is taken for attribute bits', async (t) => {
  t.equal(epcUris(0x3004, undefined, bytes(SGTIN)).tagUri, `urn:epc:tag:[att=x04]:${SGTIN_BODY}`);
  t.equal(epcUris(0x3004, 0x0004, bytes(SGTIN)).tagUri, `urn:epc:tag:[att=x04]:${SGTIN_BODY}`);
});

t.test('an application family identifier makes it raw, whatever follows', async (t) => {
  const raw = `urn:epc:raw:96.xC1.x${SGTIN}`;
  t.same(epcUris(0x31c1, undefined, bytes(SGTIN)), { tagUri: raw, epcUri: raw });
  t.equal(epcUris(0x3100, undefined, bytes(SGTIN)).tagUri, `urn:epc:raw:96.x00.x${SGTIN}`);
  const xpc = `urn:epc:raw:[umi=1][xpc=x0001]:96.xC1.x${SGTIN}`;
  t.same(epcUris(0x37c1, 1, bytes(SGTIN)), { tagUri: xpc, epcUri: xpc });
});

t.test('headers without a tag URI give the raw URI', async (t) => {
  const checkRaw = rawCheck(t);
  const known = [0x2c, 0x2d, 0x2e, 0x2f, 0x40, 0x41];
  for (let header = 0; header < 256; header++) {
    if ((header >= 0x30 && header <= 0x3f) || known.includes(header)) continue;
    checkRaw(`header ${header.toString(16)}`, epcOf([header, 8], [0x123456, 88]));
  }
  checkRaw('SGTIN+', bytes('F73795211411234538566CB0AFC4'));
});

t.test('an EPC that is cut, empty, or longer than its scheme is raw', async (t) => {
  const checkRaw = rawCheck(t);
  for (const length of [0, 1, 2, 4, 6, 8, 10, 11]) {
    checkRaw(`${length} bytes`, bytes(SGTIN).subarray(0, length));
  }
  checkRaw('a byte too long', bytes(`${SGTIN}00`));
  checkRaw('a word too long', bytes(`${SGTIN}0000`));
  checkRaw('all that a tag can send', bytes(`${SGTIN}${'00'.repeat(50)}`));
  const adi = '3B0E0CF5E76C9047759AD00373DC7602E7200000';
  checkRaw('text without its end', bytes(adi).subarray(0, 16));
  checkRaw('a word after the text', bytes(`${adi}0000`));
});

t.test('reserved partitions and numbers beyond their digits are raw', async (t) => {
  const checkRaw = rawCheck(t);
  const epc = (header: number, ...fields: [number | bigint, number][]) =>
    epcOf([header, 8], [0, 3], ...fields);
  checkRaw('partition 7', epc(0x30, [7, 3], [0, 44], [1, 38]));
  checkRaw('partition 7, text', epc(0x36, [7, 3], [0, 44], [0x31, 7], [0, 133]));
  checkRaw('prefix of 13 digits', epc(0x30, [0, 3], [10n ** 12n, 40], [0, 4], [1, 38]));
  checkRaw('prefix of 7 digits', epc(0x30, [6, 3], [1_000_000, 20], [0, 24], [1, 38]));
  checkRaw('reference of 2 digits', epc(0x30, [0, 3], [1, 40], [10, 4], [1, 38]));
  checkRaw('location without digits', epc(0x32, [0, 3], [1, 40], [1, 1], [1, 41]));
  checkRaw('asset type without digits', epc(0x33, [0, 3], [1, 40], [1, 4], [1, 38]));
  checkRaw('SSCC', epc(0x31, [5, 3], [1, 24], [10n ** 10n, 34], [0, 24]));
  checkRaw('part of 4 digits', epc(0x3c, [0, 3], [1, 40], [1000, 11], [1, 31]));
  checkRaw('piece 100', epc(0x40, [5, 3], [1, 24], [1, 20], [100, 7], [2, 7], [1, 38]));
  checkRaw('total 127', epc(0x40, [5, 3], [1, 24], [1, 20], [1, 7], [127, 7], [1, 38]));
  for (const serial of [0, 1, 2, 9, 25, 2_000_000_000_000]) {
    checkRaw(`coupon ${serial}`, epc(0x3f, [5, 3], [1, 24], [1, 17], [serial, 41]));
  }
  checkRaw('GDTI-113 without 1', epc(0x3a, [5, 3], [1, 24], [1, 17], [2n * 10n ** 17n, 58]));
  const cpi = (serial: bigint) => epc(0x3d, [5, 3], [1, 24], [0x31, 6], [0, 6], [serial, 40]);
  checkRaw('CPI-var serial of 13 digits', cpi(10n ** 12n));
});

t.test('ones where the standard has zeros are raw', async (t) => {
  const checkRaw = rawCheck(t);
  for (const hex of ['31', '2D', '2E']) {
    checkRaw(`reserved bits of ${hex}`, bytes(`${hex}76451FD4499602D2000001`));
  }
  checkRaw('after SGTIN-198', bytes('3666C4409047E159B2C2BF100000000000000000000000000001'));
  checkRaw('after ITIP-110', bytes('4076451FD40C0E40820000000F55'));
  checkRaw('after CPI-var', bytes('3D76451FD75411DEF6B4CC00000003039001'));
});

t.test('characters that a field cannot have are raw', async (t) => {
  const checkRaw = rawCheck(t);
  const sgtin = (...codes: number[]) =>
    epcOf(
      ...([
        [0x36, 8],
        [1, 3],
        [5, 3],
        [614141, 24],
        [812345, 20],
      ] as const),
      ...Array.from({ length: 20 }, (_, index) => [codes[index] ?? 0, 7] as const),
    );
  checkRaw('no serial', sgtin());
  checkRaw('a zero within', sgtin(0x31, 0, 0x32));
  for (const code of [1, 0x20, 0x23, 0x24, 0x40, 0x5b, 0x5c, 0x5d, 0x5e, 0x60, 0x7b, 0x7f]) {
    checkRaw(`character ${code}`, sgtin(0x31, code));
  }
  const giai = Array.from({ length: 19 }, () => [0x31, 7] as const);
  checkRaw('GIAI of 31', epcOf([0x38, 8], [0, 3], [0, 3], [1, 40], ...giai, [0, 15]));

  const sixBit = (text: string) => [...text].map((c) => [c.charCodeAt(0) & 0x3f, 6] as const);
  const adi = (cage: string, part: string, serial: string) =>
    epcOf([0x3b, 8], [0, 6], ...sixBit(cage), ...sixBit(`${part}@`), ...sixBit(`${serial}@`));
  checkRaw('ADI without serial', adi(' 1TEST', 'P', ''));
  checkRaw('ADI with # in a part', adi(' 1TEST', '#', '1'));
  checkRaw('ADI with # in the middle', adi(' 1TEST', 'P', '1#'));
  checkRaw('ADI with a long part', adi(' 1TEST', 'P'.repeat(33), '1'));
  checkRaw('ADI with a long serial', adi(' 1TEST', '', '1'.repeat(31)));
  checkRaw('CAGE with I', adi(' 1ITEM', 'P', '1'));
  checkRaw('CAGE of 4', adi('  TEST', 'P', '1'));

  const dod = (cage: string) =>
    epcOf([0x2f, 8], [0, 4], ...[...cage].map((c) => [c.charCodeAt(0), 8] as const), [1, 36]);
  for (const cage of [' 1TEO1', '\0ABCDE', ' abcde', 'ABCDE ']) {
    checkRaw(`DoD ${JSON.stringify(cage)}`, dod(cage));
  }

  const cpi = (part: string) =>
    epcOf([0x3d, 8], [0, 3], [5, 3], [1, 24], ...sixBit(`${part}@`), [1, 40]);
  checkRaw('CPI without part', cpi(''));
  checkRaw('CPI with a space', cpi('A B'));
  checkRaw('CPI of 31', cpi('A'.repeat(24)));
});

const RAW =
  /^urn:epc:raw:((\[att=x[0-9A-F]{2}\])?(\[umi=1\])?(\[xpc=x[0-9A-F]{4}\])?:)?\d+(\.x[0-9A-F]{2})?\.x[0-9A-F]*$/;
const TAG =
  /^urn:epc:tag:((\[att=x[0-9A-F]{2}\])?(\[umi=1\])?(\[xpc=x[0-9A-F]{4}\])?:)?[a-z]+-(\d+|var):([\w!'()*+,\-.:;=]|%2[2356F]|%3[CEF])+$/;
const IDENTITY = /^urn:epc:id:[a-z]+:([\w!'()*+,\-.:;=]|%2[2356F]|%3[CEF])+$/;

function checkShape(pc: number, xpc: number | undefined, epc: Uint8Array): void {
  const { tagUri, epcUri } = epcUris(pc, xpc, epc);
  const fine = RAW.test(tagUri) ? epcUri === tagUri : TAG.test(tagUri) && IDENTITY.test(epcUri);
  if (!fine) throw new Error(`${tagUri} ${epcUri}`);
}

t.test('whatever a tag sends gives URIs of the right shape', async () => {
  const pc = fc.integer({ min: 0, max: 0xffff });
  const xpc = fc.option(fc.integer({ min: 0, max: 0xffff }), { nil: undefined });
  const header = fc.integer({ min: 0x2c, max: 0x41 });
  const epcs = [
    fc.uint8Array({ maxLength: 62 }),
    fc.uint8Array({ minLength: 12, maxLength: 12 }),
    fc
      .tuple(header, fc.uint8Array({ minLength: 11, maxLength: 11 }))
      .map(([first, rest]) => Uint8Array.from([first, ...rest])),
    fc
      .tuple(header, fc.uint8Array({ maxLength: 61 }), fc.nat(40))
      .map(([first, rest, zeros]) => Uint8Array.from([first, ...rest.fill(0, -zeros)])),
  ];
  fc.assert(fc.property(pc, xpc, fc.oneof(...epcs), checkShape), { numRuns: 5000 });
});

t.test('what the encoder of the scenarios encodes comes back', async () => {
  const digits = (min: number, max = min) =>
    fc
      .array(fc.integer({ min: 0, max: 9 }), { minLength: min, maxLength: max })
      .map((list) => list.join(''));
  const below = (bits: number) => fc.bigInt({ min: 0n, max: 2n ** BigInt(bits) - 1n }).map(String);
  const prefixed = (scheme: string, total: number, ...rest: fc.Arbitrary<string>[]) =>
    fc
      .integer({ min: 6, max: 12 })
      .chain((length) =>
        fc.tuple(fc.integer({ min: 0, max: 7 }), digits(length), digits(total - length), ...rest),
      )
      .map((parts) => `${scheme}:${parts.join('.')}`);
  const uri = fc.oneof(
    prefixed('sgtin-96', 13, below(38)),
    prefixed('sscc-96', 17),
    prefixed('sgln-96', 12, below(41)),
    prefixed('grai-96', 12, below(38)),
    prefixed('gsrn-96', 17),
    prefixed('gdti-96', 12, below(41)),
    fc.tuple(digits(7), below(58)).map(([prefix, asset]) => `giai-96:2.${prefix}.${asset}`),
    fc.tuple(below(28), below(24), below(36)).map((parts) => `gid-96:${parts.join('.')}`),
    fc
      .tuple(digits(7), fc.integer({ min: 0, max: 99_999_999 }), below(31))
      .map((parts) => `cpi-96:4.${parts.join('.')}`),
  );
  let compared = 0;
  fc.assert(
    fc.property(uri, (body) => {
      let epc: Uint8Array;
      try {
        epc = encodeEpc(`urn:epc:tag:${body}`);
      } catch {
        return; // the package cannot encode some, for example those of an empty location
      }
      compared++;
      const { tagUri } = epcUris(pcOf(epc), undefined, epc);
      if (tagUri !== `urn:epc:tag:${body}`) throw new Error(`${body} came back as ${tagUri}`);
    }),
    { numRuns: 2000 },
  );
  t.ok(compared > 1000, `${compared} compared`);
});
