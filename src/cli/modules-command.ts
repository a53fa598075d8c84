/** `singulate modules`: which radio modules are on the serial lines, and new firmware for them. */
import { readFileSync } from 'node:fs';
import { discoverModules, type LookedAt } from '../radio-control/serial/discover.js';
import { type LoadProgress, loadFirmware, readFirmware } from '../radio-control/serial/firmware.js';
import type { FoundModule } from '../radio-control/serial/probe.js';
import { configError, errorMessage } from '../shared/errors.js';
import type { Output } from './output.js';

export interface ModulesRequest {
  /** Lines to look at; none = all. */
  ports: string[];
  json: boolean;
  /** Firmware file to load into the module at `port`. */
  load?: string;
  port?: string;
}

/** @returns 1 if no module was found, or firmware was not loaded. @throws CONFIG */
export async function modules(request: ModulesRequest, output: Output): Promise<number> {
  const { load, port } = request;
  if (load !== undefined) return loadInto(port as string, load, request.json, output);
  const looked = await discoverModules(request.ports);
  output.stdout.write(request.json ? `${JSON.stringify(looked, null, 2)}\n` : listText(looked));
  return looked.some(({ module }) => module !== undefined) ? 0 : 1;
}

function listText(looked: readonly LookedAt[]): string {
  if (looked.length === 0) return 'This machine has no serial lines.\n';
  const width = Math.max(...looked.map(({ path }) => path.length));
  const lines = looked.map((one) => `${one.path.padEnd(width)}  ${lookedText(one)}`);
  const first = looked.find(({ module }) => module?.supported);
  const hint = first === undefined ? [] : [`Read with it: singulate --radio mercury:${first.path}`];
  return [...lines, ...hint, ''].join('\n');
}

function lookedText({ module, fault, manufacturer, vendorId, productId }: LookedAt): string {
  if (fault !== undefined) return fault;
  if (module !== undefined) return moduleText(module);
  const usb = vendorId === undefined ? '' : ` (USB ${vendorId}:${productId ?? ''})`;
  return `no module answers${manufacturer === undefined ? usb : ` (${manufacturer})`}`;
}

function moduleText({ family, model, hardware, firmware, baud, program, supported }: FoundModule) {
  if (!supported) return `${family}, ${baud} baud: there is no driver for this family`;
  const where = program === 'bootloader' ? ', in its bootloader' : '';
  return `${family}  ${model}, hardware ${hardware}, firmware ${firmware}, ${baud} baud${where}`;
}

async function loadInto(
  port: string,
  file: string,
  json: boolean,
  { stdout }: Output,
): Promise<number> {
  const image = imageOf(file);
  const tell = json ? jsonReport(stdout) : textReport(stdout);
  const module = await loadFirmware(port, image, tell);
  stdout.write(
    json ? `${JSON.stringify({ done: true, module })}\n` : `\n${port}  ${moduleText(module)}\n`,
  );
  return 0;
}

function imageOf(file: string): Buffer {
  try {
    return readFirmware(readFileSync(file));
  } catch (error) {
    throw configError(`${file}: ${errorMessage(error)}`);
  }
}

function jsonReport(stdout: Output['stdout']): (progress: LoadProgress) => void {
  return (progress) => stdout.write(`${JSON.stringify(progress)}\n`);
}

/** Each step once, and the writing in percent. */
function textReport(stdout: Output['stdout']): (progress: LoadProgress) => void {
  const names = {
    bootloader: 'into the bootloader',
    erase: 'erasing (up to 30 s)',
    write: 'writing',
    verify: 'checking',
    start: 'starting',
  };
  let told = '';
  return ({ step, bytes, total }) => {
    const percent = step === 'write' ? ` ${Math.floor((100 * bytes) / total / 10) * 10} %` : '';
    const text = `${names[step]}${percent}`;
    if (text === told) return;
    stdout.write(`${told === '' ? '' : '\n'}${text}`);
    told = text;
  };
}
