/** Host names and addresses, as settings take them. Pure. */
import { isIP, isIPv4 } from 'node:net';

/** Longest name of a Linux machine. */
export const MAX_MACHINE_NAME = 64;
/** Longest part of a name between dots. */
export const MAX_LABEL = 63;
const MAX_DNS_NAME = 253;
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i;

/** Labels of letters, digits and hyphens, with dots between them (RFC 1123). */
export function isHostName(text: string, maxLength = MAX_DNS_NAME): boolean {
  const labels = text.split('.');
  const last = labels.at(-1) ?? '';
  // Otherwise it is meant as an address, and is none.
  return text.length <= maxLength && labels.every((one) => LABEL.test(one)) && !/^\d+$/.test(last);
}

export function isHostNameOrAddress(text: string): boolean {
  return isIP(text) !== 0 || isHostName(text);
}

/** An IPv4 address as a number; undefined if it is none. */
export function ipv4Number(text: string): number | undefined {
  if (!isIPv4(text)) return undefined;
  return text.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
}

/** 24 of 255.255.255.0; undefined if it is no mask. */
export function prefixOfMask(text: string): number | undefined {
  const mask = ipv4Number(text);
  if (mask === undefined) return undefined;
  const bits = mask.toString(2).padStart(32, '0');
  return /^1+0*$/.test(bits) ? bits.lastIndexOf('1') + 1 : undefined;
}

/** True if an interface can have this address: not of many hosts, not the machine's own, not 0. */
export function isHostAddress(text: string): boolean {
  const first = Number(text.split('.')[0]);
  return ipv4Number(text) !== undefined && first > 0 && first < 224 && first !== 127;
}
