/** What this machine is. */
import { readFileSync } from 'node:fs';
import { hostname, machine, networkInterfaces, release } from 'node:os';

function firstText(paths: readonly string[]): string | undefined {
  for (const path of paths) {
    try {
      // Texts of the device tree end with a zero byte.
      const text = readFileSync(path, 'utf8').replaceAll('\0', '').trim();
      if (text !== '') return text;
    } catch {
      // Not on this kind of machine, or not readable for this user.
    }
  }
  return undefined;
}

/** Model name of the board, `Singulate` on a machine that does not say. */
export function readModel(): string {
  return (
    firstText(['/sys/firmware/devicetree/base/model', '/sys/class/dmi/id/product_name']) ??
    'Singulate'
  );
}

/** Serial number of the board; its MAC address without colons where there is none. */
export function readSerialNumber(): string {
  return (
    firstText([
      '/sys/firmware/devicetree/base/serial-number',
      '/sys/class/dmi/id/product_serial',
    ]) ?? readMacAddress().replaceAll(':', '')
  );
}

/** `02:42:AC:11:00:02`, upper case, of the first network interface; all zero if there is none. */
export function readMacAddress(): string {
  for (const addresses of Object.values(networkInterfaces())) {
    for (const { internal, mac } of addresses ?? []) {
      if (!internal && mac !== '00:00:00:00:00:00') return mac.toUpperCase();
    }
  }
  return '00:00:00:00:00:00';
}

export function readHostName(): string {
  return hostname();
}

/** Name of the operating system for people. */
export function readOsName(): string {
  const found = /^PRETTY_NAME="?([^"\n]*)"?$/m.exec(firstText(['/etc/os-release']) ?? '');
  return `${found?.[1] ?? 'Linux'}, kernel ${release()}`;
}

/** Kind of processor: `x86_64`, `aarch64`, `armv7l`. */
export function readHardware(): string {
  return machine();
}
