/** EPCs of simulated tags: hexadecimal, or encoded from their EPC tag URI. */
import epcTds from 'epc-tds';
import { MAX_EPC_BYTES } from '../record.js';

// The package is CommonJS: its default export is the module itself, though its types say otherwise.
const tds = epcTds as unknown as typeof epcTds.default;

const PREFIX = 'urn:epc:tag:';
/** Those that the package encodes as the standard does; it has no others, or gets them wrong. */
export const SCHEMES = [
  ...['sgtin-96', 'sscc-96', 'sgln-96', 'grai-96', 'giai-96'],
  ...['gid-96', 'gsrn-96', 'gdti-96', 'cpi-96'],
] as const;
export const SERIAL = '{serial}';

/** @returns why a text cannot be the URI of a numbered population, or undefined. */
export function patternFault(pattern: string): string | undefined {
  const scheme = SCHEMES.find((name) => pattern.startsWith(`${PREFIX}${name}:`));
  if (scheme === undefined) {
    return `allowed: an EPC tag URI, ${PREFIX}SCHEME:..., SCHEME one of ${SCHEMES.join(', ')}`;
  }
  const places = pattern.split(SERIAL).length - 1;
  return places === 1 ? undefined : `allowed: an EPC tag URI with ${SERIAL} in it, once`;
}

/** The tag URI of one serial number. References of SSCCs and GSRNs have 17 digits with the prefix. */
export function withSerial(pattern: string, serial: number): string {
  let digits = String(serial);
  const fixed = /^urn:epc:tag:(?:sscc|gsrn)-96:\d\.(\d+)\.(\d*)\{serial\}$/.exec(pattern);
  if (fixed)
    digits = digits.padStart(17 - (fixed[1] as string).length - (fixed[2] as string).length, '0');
  return pattern.replace(SERIAL, digits);
}

/** The package drops the leading zeros of a GSRN's reference when it decodes one. */
function withZeros(uri: string): string {
  return uri.replace(
    /^(urn:epc:tag:gsrn-96:\d\.)(\d+)\.(\d+)$/,
    (_, head: string, prefix: string, reference: string) =>
      `${head}${prefix}.${reference.padStart(17 - prefix.length, '0')}`,
  );
}

/** Throws an Error that says what is allowed. */
export function encodeEpc(text: string): Uint8Array {
  return text.startsWith('urn:') ? encodeUri(text) : fromHex(text);
}

function encodeUri(uri: string): Uint8Array {
  // The encoder silently cuts numbers that are too long for their field; the way back shows it.
  let back = '';
  let hex = '';
  try {
    hex = tds.fromTagURI(uri).toHexString();
    back = withZeros(tds.valueOf(hex).toTagURI());
  } catch {
    // said below
  }
  const known = SCHEMES.some((scheme) => uri.startsWith(`${PREFIX}${scheme}:`));
  if (!known || back !== uri) {
    throw new Error(
      `"${uri}" given; allowed: an EPC tag URI of ${SCHEMES.join(', ')} whose parts have the ` +
        'digits and the range of their scheme',
    );
  }
  return Buffer.from(hex, 'hex');
}

function fromHex(text: string): Uint8Array {
  if (!/^([0-9a-f]{4})+$/i.test(text) || text.length / 2 > MAX_EPC_BYTES) {
    throw new Error(
      `"${text}" given; allowed: an EPC tag URI, or 1..${MAX_EPC_BYTES / 2} words of 4 hexadecimal digits`,
    );
  }
  return Buffer.from(text, 'hex');
}
