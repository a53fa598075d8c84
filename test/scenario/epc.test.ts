import t from 'tap';
import { encodeEpc, patternFault, withSerial } from '../../src/radio-control/scenario/epc.js';

/** GS1 TDS 2.3, appendix E.3. */
const VECTORS = [
  ['3066C4409047E140075BCD15', 'sgtin-96:3.95060001343.05.123456789'],
  ['311BA1B300CE0A6A83000000', 'sscc-96:0.952012.03456789123'],
  ['3276451FD46072000000162E', 'sgln-96:3.9521141.12345.5678'],
  ['3376451FD40C0E400000162E', 'grai-96:3.9521141.12345.5678'],
  ['3476451FD40000000000162E', 'giai-96:3.9521141.5678'],
  ['3500E86F8000A9E000000586', 'gid-96:952056.2718.1414'],
  ['2D76451FD4499602D2000000', 'gsrn-96:3.9521141.1234567890'],
  ['2C76451FD46072000000162E', 'gdti-96:3.9521141.12345.5678'],
  ['3C76451FD400C0E680003039', 'cpi-96:3.9521141.98765.12345'],
] as const;

const hex = (text: string) => Buffer.from(encodeEpc(text)).toString('hex').toUpperCase();

t.test('every scheme encodes as the standard shows', async (t) => {
  for (const [expected, uri] of VECTORS) t.equal(hex(`urn:epc:tag:${uri}`), expected, uri);
});

t.test('hexadecimal is taken as it is', async (t) => {
  t.equal(hex('e2801160'), 'E2801160');
  for (const bad of ['e280116', 'xyz0', '', `${'0000'.repeat(31)}0000`]) {
    t.throws(() => encodeEpc(bad), /allowed: an EPC tag URI, or 1\.\.31 words/, bad);
  }
});

t.test('numbers that do not fit their field are refused, not cut', async (t) => {
  const bad = [
    'sgtin-96:3.95060001343.05.274877906944',
    'sgtin-96:8.95060001343.05.1',
    'sgtin-96:3.9521141.1234567.1',
    'sgtin-96:3.9521141.12345.1',
    'sgtin-96:3.9521141.012345.007',
    'sscc-96:0.952012.123456789123',
    'grai-96:3.9521141.12345.274877906944',
    'giai-96:3.9521141.4611686018427387904',
    'gid-96:268435456.1.1',
    'gsrn-96:3.9521141.1',
    'gsrn-96:3.9521141.12345678901',
    'gdti-96:3.9521141.12345.2199023255552',
    'cpi-96:3.9521141.98765.2147483648',
    'cpi-96:3.9521141.098.5',
    'gsrnp-96:3.9521141.1234567890',
    'itip-110:3.9521141.012345.01.02.981',
    'sgcn-96:3.4012345.67890.04711',
    'sgtin-198:3.95060001343.05.32a%2Fb',
    'giai-202:3.9521141.32a%2Fb',
    'nonsense',
  ];
  for (const uri of bad) {
    t.throws(
      () => encodeEpc(`urn:epc:tag:${uri}`),
      /given; allowed: an EPC tag URI of sgtin-96/,
      uri,
    );
  }
});

t.test('the leading zeros of a GSRN are part of it', async (t) => {
  t.equal(hex('urn:epc:tag:gsrn-96:3.9521141.0000000001'), '2D76451FD400000001000000');
  t.equal(
    withSerial('urn:epc:tag:gsrn-96:3.9521141.{serial}', 42),
    'urn:epc:tag:gsrn-96:3.9521141.0000000042',
  );
});

t.test('a pattern takes serial numbers; that of an SSCC fills its digits', async (t) => {
  t.equal(
    withSerial('urn:epc:tag:sgtin-96:1.9521141.012345.{serial}', 42),
    'urn:epc:tag:sgtin-96:1.9521141.012345.42',
  );
  t.equal(
    withSerial('urn:epc:tag:sscc-96:0.9521141.{serial}', 42),
    'urn:epc:tag:sscc-96:0.9521141.0000000042',
  );
  t.equal(
    withSerial('urn:epc:tag:sscc-96:0.9521141.3{serial}', 42),
    'urn:epc:tag:sscc-96:0.9521141.3000000042',
  );
  t.equal(patternFault('urn:epc:tag:giai-96:0.9521141.{serial}'), undefined);
  t.match(patternFault('urn:epc:tag:giai-96:0.9521141.5'), /with \{serial\} in it, once/);
  t.match(patternFault('urn:epc:id:giai:0.9521141.{serial}'), /SCHEME one of sgtin-96/);
});
