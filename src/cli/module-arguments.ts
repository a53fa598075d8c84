/** The arguments of `modules` and `emulate`. Throws CONFIG errors. */
import { configError } from '../shared/errors.js';
import type { EmulateRequest } from './emulate-command.js';
import type { ModulesRequest } from './modules-command.js';

const HINT = '(singulate --help lists what there is)';

export function takeForModules(request: ModulesRequest, arg: string, rest: string[]): void {
  if (arg === '--json') request.json = true;
  else if (arg === '--port') request.port = valueFor(arg, 'PATH', rest);
  else if (arg.startsWith('-')) throw configError(`unknown option ${arg} ${HINT}`);
  else if (arg === 'load' && request.ports.length === 0 && request.load === undefined) {
    request.load = valueFor('modules load', 'FILE --port PATH', rest);
  } else request.ports.push(arg);
}

export function checkModulesRequest({ load, port, ports }: ModulesRequest): void {
  if (load === undefined && port !== undefined) {
    throw configError('--port is for: modules load FILE --port PATH');
  }
  if (load === undefined) return;
  if (port === undefined) throw configError('modules load needs a port: --port PATH');
  if (ports[0] !== undefined) throw configError(`unexpected argument ${ports[0]} ${HINT}`);
}

export const EMULATED = ['mercury'] as const;

/** Fills in the request; @returns what is emulated, if the argument says it. */
export function takeForEmulate(
  request: EmulateRequest,
  arg: string,
  rest: string[],
): string | undefined {
  if (arg === '--json') request.json = true;
  else if (arg === '--baud-pacing') request.baudPacing = true;
  else if (arg === '--profile') request.profile = valueFor(arg, 'NAME', rest);
  else if (arg === '--scenario') request.scenario = valueFor(arg, 'FILE|NAME', rest);
  else if (arg === '--link') request.link = valueFor(arg, 'PATH', rest);
  else if (arg.startsWith('-')) throw configError(`unknown option ${arg} ${HINT}`);
  else return arg;
  return undefined;
}

export function checkEmulated(named: readonly string[]): void {
  const allowed = EMULATED.join(', ');
  const [first, second] = named;
  if (first === undefined) throw configError(`emulate needs a kind of module; allowed: ${allowed}`);
  if (!EMULATED.some((kind) => kind === first)) {
    throw configError(`emulate: ${first} given; allowed: ${allowed}`);
  }
  if (second !== undefined) throw configError(`unexpected argument ${second} ${HINT}`);
}

function valueFor(option: string, form: string, rest: string[]): string {
  const value = rest.shift();
  if (value === undefined || value === '' || value.startsWith('--')) {
    throw configError(`${option} needs a value: ${option} ${form}`);
  }
  return value;
}
