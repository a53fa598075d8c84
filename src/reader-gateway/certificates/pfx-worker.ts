/** The thread that opens one PFX. */
import { parentPort, workerData } from 'node:worker_threads';
import forge from 'node-forge';
import type { PfxAnswer, PfxTask } from './pfx.js';

type Bag = forge.pkcs12.Bag;

function open({ bytes, password }: PfxTask): PfxAnswer {
  let asn1: forge.asn1.Asn1;
  try {
    asn1 = forge.asn1.fromDer(forge.util.createBuffer(Buffer.from(bytes).toString('binary')));
  } catch {
    return { result: 'unusable', reason: 'is not a PFX (PKCS#12) file' };
  }
  // No password is written in two ways: as none, and as an empty one.
  const candidates = password === undefined || password === '' ? ['', undefined] : [password];
  let reason = '';
  for (const candidate of candidates) {
    try {
      return contentOf(forge.pkcs12.pkcs12FromAsn1(asn1, false, candidate));
    } catch (error) {
      reason = (error as Error).message;
    }
  }
  if (/password|Failed to decrypt/i.test(reason)) return { result: 'wrong password' };
  return { result: 'unusable', reason: `is not a PFX (PKCS#12) file that can be read: ${reason}` };
}

function contentOf(pfx: forge.pkcs12.Pkcs12Pfx): PfxAnswer {
  const certificates: string[] = [];
  const keys: string[] = [];
  for (const bag of pfx.safeContents.flatMap(({ safeBags }) => safeBags)) {
    if (bag.type === forge.pki.oids.certBag) certificates.push(certificatePem(bag));
    else if (isKey(bag)) keys.push(keyPem(bag));
  }
  return { result: 'ok', certificates, keys };
}

function isKey({ type }: Bag): boolean {
  return type === forge.pki.oids.keyBag || type === forge.pki.oids.pkcs8ShroudedKeyBag;
}

// What is not RSA forge hands on as it is.
function certificatePem({ cert, asn1 }: Bag): string {
  return pem('CERTIFICATE', cert ? forge.pki.certificateToAsn1(cert) : asn1);
}

function keyPem({ key, asn1 }: Bag): string {
  const info = key ? forge.pki.wrapRsaPrivateKey(forge.pki.privateKeyToAsn1(key)) : asn1;
  return pem('PRIVATE KEY', info);
}

function pem(type: string, asn1: forge.asn1.Asn1): string {
  return forge.pem.encode({ type, body: forge.asn1.toDer(asn1).getBytes() });
}

parentPort?.postMessage(open(workerData as PfxTask));
