/** The serial lines of a Linux without udev, as small readers are: by what the kernel shows. */
import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { PortFacts } from './serial-port.js';

/** Lines that the kernel keeps ready without any hardware. */
const PLACEHOLDER_DRIVERS = ['serial8250'];

/** @param root Instead of /, for tests. */
export function sysfsPorts(root = '/'): PortFacts[] {
  const folder = join(root, 'sys/class/tty');
  return readdirSync(folder)
    .filter((name) => hasHardware(join(folder, name)))
    .sort()
    .map((name) => ({ path: join('/dev', name), ...usbFacts(join(folder, name, 'device')) }));
}

function hasHardware(tty: string): boolean {
  try {
    const driver = basename(realpathSync(join(tty, 'device/driver')));
    return !PLACEHOLDER_DRIVERS.includes(driver);
  } catch {
    return false; // a console, a pseudo-terminal
  }
}

/** Of the USB device that the line belongs to, which is some levels above it. */
function usbFacts(device: string): Partial<PortFacts> {
  for (let folder = realpathSync(device); folder !== dirname(folder); folder = dirname(folder)) {
    const vendorId = text(join(folder, 'idVendor'));
    if (vendorId === undefined) continue;
    const productId = text(join(folder, 'idProduct'));
    const manufacturer = text(join(folder, 'manufacturer'));
    const serialNumber = text(join(folder, 'serial'));
    return {
      vendorId,
      ...(productId === undefined ? {} : { productId }),
      ...(manufacturer === undefined ? {} : { manufacturer }),
      ...(serialNumber === undefined ? {} : { serialNumber }),
    };
  }
  return {};
}

function text(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim() || undefined;
  } catch {
    return undefined;
  }
}
