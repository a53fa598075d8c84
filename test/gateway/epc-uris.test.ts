/** EPCs of every scheme as tag URI and pure identity URI. */
import t from 'tap';
import { epcUris } from '../../src/reader-gateway/epc/epc-uris.js';
import { epcOf, pcOf } from './epc-bits.js';

type Tap = Pick<typeof t, 'same'>;
type Vector = readonly [hex: string, tag: string, identity: string];

/** Of EPCs without control fields; the vectors leave the beginnings of the URIs out. */
function checkAll(t: Tap, vectors: readonly Vector[]): void {
  for (const [hex, tag, identity] of vectors) {
    const epc = Buffer.from(hex, 'hex');
    const expected = { tagUri: `urn:epc:tag:${tag}`, epcUri: `urn:epc:id:${identity}` };
    t.same(epcUris(pcOf(epc), undefined, epc), expected, tag);
  }
}

t.test('every scheme decodes as the examples of the standard (GS1 TDS 2.3, E.3)', async (t) => {
  checkAll(t, [
    [
      '3066C4409047E140075BCD15',
      'sgtin-96:3.95060001343.05.123456789',
      'sgtin:95060001343.05.123456789',
    ],
    [
      '3666C4409047E159B2C2BF100000000000000000000000000000',
      'sgtin-198:3.95060001343.05.32a%2Fb',
      'sgtin:95060001343.05.32a%2Fb',
    ],
    ['311BA1B300CE0A6A83000000', 'sscc-96:0.952012.03456789123', 'sscc:952012.03456789123'],
    ['3276451FD46072000000162E', 'sgln-96:3.9521141.12345.5678', 'sgln:9521141.12345.5678'],
    ['3376451FD40C0E400000162E', 'grai-96:3.9521141.12345.5678', 'grai:9521141.12345.5678'],
    [
      '3776451FD40C0E59B2C2BF1000000000000000000000',
      'grai-170:3.9521141.12345.32a%2Fb',
      'grai:9521141.12345.32a%2Fb',
    ],
    ['3476451FD40000000000162E', 'giai-96:3.9521141.5678', 'giai:9521141.5678'],
    [
      '3876451FD59B2C2BF10000000000000000000000000000000000',
      'giai-202:3.9521141.32a%2Fb',
      'giai:9521141.32a%2Fb',
    ],
    ['2D76451FD4499602D2000000', 'gsrn-96:3.9521141.1234567890', 'gsrn:9521141.1234567890'],
    ['2E76451FD4499602D2000000', 'gsrnp-96:3.9521141.1234567890', 'gsrnp:9521141.1234567890'],
    ['2C76451FD46072000000162E', 'gdti-96:3.9521141.12345.5678', 'gdti:9521141.12345.5678'],
    [
      '3E76451FD7039B061438997367D0C18B266D1AB66EE0',
      'gdti-174:3.9521141.98765.ABCDefgh012345678',
      'gdti:9521141.98765.ABCDefgh012345678',
    ],
    ['3C76451FD400C0E680003039', 'cpi-96:3.9521141.98765.12345', 'cpi:9521141.98765.12345'],
    [
      '3D76451FD75411DEF6B4CC00000003039000',
      'cpi-var:3.9521141.5PQ7%2FZ43.12345',
      'cpi:9521141.5PQ7%2FZ43.12345',
    ],
    ['3F76451FD612640000019907', 'sgcn-96:3.9521141.67890.04711', 'sgcn:9521141.67890.04711'],
    ['3500E86F8000A9E000000586', 'gid-96:952056.2718.1414', 'gid:952056.2718.1414'],
    ['2F320434147455900000162E', 'usdod-96:3.CAGEY.5678', 'usdod:CAGEY.5678'],
    [
      '3B0E0CF5E76C9047759AD00373DC7602E7200000',
      'adi-var:3.35962.PQ7VZ4.M37GXB92',
      'adi:35962.PQ7VZ4.M37GXB92',
    ],
    [
      '4076451FD40C0E40820000000F54',
      'itip-110:3.9521141.012345.01.02.981',
      'itip:9521141.012345.01.02.981',
    ],
    [
      '4176451FD40C0E4082DBDD8B36600000000000000000000000000000',
      'itip-212:3.9521141.012345.01.02.mw133',
      'itip:9521141.012345.01.02.mw133',
    ],
  ]);
});

t.test('EPCs of other encoders decode to what they encoded', async (t) => {
  checkAll(t, [
    [
      '390039318D8401057AD850E2458D1E449952E64D9D3E851A4000',
      'sgln-195:0.061411123456..A%2F-BCDEFGHIJKLMNOPQR',
      'sgln:061411123456..A%2F-BCDEFGHIJKLMNOPQR',
    ],
    ['3FE175ADC32764000000000B', 'sgcn-96:7.401234512345..1', 'sgcn:401234512345..1'],
    [
      '3A28075BCD1502000000006695170000',
      'gdti-113:1.0123456789.01.3445678',
      'gdti:0123456789.01.3445678',
    ],
    [
      '3A74F4E4E7039AC790E65D7AA5C38000',
      'gdti-113:3.4012345.98765.12345678901234567',
      'gdti:4012345.98765.12345678901234567',
    ],
    [
      '3D14257BF71CADD35D8000075BCD1500',
      'cpi-var:0.0614141.12-456.123456789',
      'cpi:0614141.12-456.123456789',
    ],
    [
      '41000B7F7070D40000830A1C48B1A3C8932A5CC9B3A7D05F4A9D4000',
      'itip-212:0.012345678901.0.00.00.ABCDEFGHIJKLMNOP%2FRST',
      'itip:012345678901.0.00.00.ABCDEFGHIJKLMNOP%2FRST',
    ],
    ['2E000B7F7070D404D2000000', 'gsrnp-96:0.012345678901.01234', 'gsrnp:012345678901.01234'],
    ['31003932449F003039000000', 'sscc-96:0.061414123456.12345', 'sscc:061414123456.12345'],
    [
      '36500001DB011169E5E5A70EC000000000000000000000000000',
      'sgtin-198:2.00000950.01093.Serial',
      'sgtin:00000950.01093.Serial',
    ],
    [
      '35FFFFFFFFFFFFFFFFFFFFFF',
      'gid-96:268435455.16777215.68719476735',
      'gid:268435455.16777215.68719476735',
    ],
    ['2FF203253313934FFFFFFFFF', 'usdod-96:15.2S194.68719476735', 'usdod:2S194.68719476735'],
    ['2F02032533139342DFDC1C35', 'usdod-96:0.2S194.12345678901', 'usdod:2S194.12345678901'],
    [
      '3B157E316390F32CCE78D106310325CD06DD7200',
      'adi-var:5.W81X9C.3KL984PX1.2WMA-52',
      'adi:W81X9C.3KL984PX1.2WMA-52',
    ],
    ['3B0204C8D72C001CC5F1C79CB4D35000', 'adi-var:0.SH520..GLW1192445', 'adi:SH520..GLW1192445'],
    [
      '3B520C75E36C35C72B70C70B74C75B71C3100E234D00',
      'adi-var:20.15860.512-010-415-101.NH44',
      'adi:15860.512-010-415-101.NH44',
    ],
  ]);
});

t.test('the filter value is in the tag URI only', async (t) => {
  for (let filter = 0; filter < 8; filter++) {
    const sgtin = epcOf([0x30, 8], [filter, 3], [5, 3], [614141, 24], [812345, 20], [6789, 38]);
    const { tagUri, epcUri } = epcUris(0x3000, undefined, sgtin);
    t.equal(tagUri, `urn:epc:tag:sgtin-96:${filter}.0614141.812345.6789`);
    t.equal(epcUri, 'urn:epc:id:sgtin:0614141.812345.6789');
  }
});

t.test('the partition says how many digits are the company prefix', async (t) => {
  const bits = [40, 37, 34, 30, 27, 24, 20];
  const references = ['7', '07', '007', '0007', '00007', '000007', '0000007'];
  bits.forEach((count, partition) => {
    const epc = epcOf([0x30, 8], [0, 3], [partition, 3], [42, count], [7, 44 - count], [1, 38]);
    const prefix = '42'.padStart(12 - partition, '0');
    const expected = `urn:epc:tag:sgtin-96:0.${prefix}.${references[partition]}.1`;
    t.equal(epcUris(0x3000, undefined, epc).tagUri, expected);
  });
});

t.test('leading zeros of a coupon serial are kept, of a number there are none', async (t) => {
  const head = [
    [5, 3],
    [9521141, 24],
    [67890, 17],
  ] as const;
  const sgcn = (serial: number) => epcOf([0x3f, 8], [0, 3], ...head, [serial, 41]);
  const uri = (epc: Uint8Array) => epcUris(0x3000, undefined, epc).epcUri;
  t.equal(uri(sgcn(10)), 'urn:epc:id:sgcn:9521141.67890.0');
  t.equal(uri(sgcn(1000)), 'urn:epc:id:sgcn:9521141.67890.000');
  t.equal(uri(sgcn(1_999_999_999_999)), 'urn:epc:id:sgcn:9521141.67890.999999999999');
  t.equal(uri(epcOf([0x2c, 8], [0, 3], ...head, [0, 41])), 'urn:epc:id:gdti:9521141.67890.0');
});

t.test('what a URI reserves is escaped in alphanumeric parts, all else is as it is', async (t) => {
  const sevenBit = (text: string) => {
    const characters = [...text.padEnd(20, '\0')].map((c) => [c.charCodeAt(0), 7] as const);
    const epc = epcOf([0x36, 8], [1, 3], [5, 3], [614141, 24], [812345, 20], ...characters);
    return epcUris(pcOf(epc), undefined, epc).epcUri.slice('urn:epc:id:sgtin:'.length);
  };
  t.equal(sevenBit('"%&/<>?'), '0614141.812345.%22%25%26%2F%3C%3E%3F');
  t.equal(sevenBit("!'()*+,-.0189:;=_"), "0614141.812345.!'()*+,-.0189:;=_");
  t.equal(sevenBit('ABCXYZabcxyz'), '0614141.812345.ABCXYZabcxyz');
  t.equal(sevenBit('01234567890123456789'), '0614141.812345.01234567890123456789');

  const sixBit = (text: string) => [...text].map((c) => [c.charCodeAt(0) & 0x3f, 6] as const);
  const adi = epcOf([0x3b, 8], [9, 6], ...sixBit(' 1TEST'), [0, 6], ...sixBit('#A/B-9'), [0, 6]);
  t.equal(epcUris(pcOf(adi), undefined, adi).tagUri, 'urn:epc:tag:adi-var:9.1TEST..%23A%2FB-9');
});
