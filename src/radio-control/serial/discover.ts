/** Looks for radio modules on the serial lines of this machine. */
import { errorMessage } from '../../shared/errors.js';
import { type FoundModule, probeLine } from './probe.js';
import { listPorts, type PortFacts } from './serial-port.js';

export interface LookedAt extends PortFacts {
  module?: FoundModule;
  /** Why it could not be looked at. */
  fault?: string;
}

/**
 * No line is held any more when it is done.
 * @param paths Lines to look at; none = all of this machine.
 */
export async function discoverModules(paths: readonly string[]): Promise<LookedAt[]> {
  const ports = paths.length > 0 ? paths.map((path) => ({ path })) : await listPorts();
  return Promise.all(ports.map(lookAt));
}

async function lookAt(port: PortFacts): Promise<LookedAt> {
  try {
    const module = await probeLine(port.path);
    return module === undefined ? port : { ...port, module };
  } catch (error) {
    return { ...port, fault: errorMessage(error) };
  }
}
