import { invalid } from '../../shared/errors.js';
import { HostName } from '../api/host-name.js';
import { isHostName, MAX_MACHINE_NAME } from '../system/host-address.js';
import { hostNameFault } from '../system/network-settings.js';
import type { Operation, OperationContext } from './operation.js';

export const setHostName: Operation = {
  name: 'setHostname',
  summary: 'Change the host name; events carry it from the next start of reading on',
  method: 'PUT',
  path: '/cloud/hostname',
  mqttCommand: 'set_hostname',
  channel: 'management',
  requestSchema: HostName,
  responseSchema: undefined,
  async run(context, request) {
    const { hostname } = request as HostName;
    if (!isHostName(hostname, MAX_MACHINE_NAME)) {
      throw invalid([{ field: 'hostname', message: hostNameFault(hostname) }]);
    }
    await renameReader(context, hostname);
  },
};

/** @param name Is a host name. */
export async function renameReader(
  { platform, machine }: Pick<OperationContext, 'platform' | 'machine'>,
  name: string,
): Promise<void> {
  if (name !== (await platform.hostName.read())) await platform.hostName.set(name);
  machine.hostName = name;
}
