import { invalid } from '../../shared/errors.js';
import { NtpServer } from '../api/time.js';
import { show } from '../api/validate.js';
import { isHostNameOrAddress } from '../system/host-address.js';
import type { Operation } from './operation.js';

export const setNtpServer: Operation = {
  name: 'setNtpServer',
  summary: 'Set the NTP server',
  method: 'PUT',
  path: '/cloud/ntpServer',
  mqttCommand: 'set_ntp_server',
  channel: 'management',
  requestSchema: NtpServer,
  responseSchema: undefined,
  async run({ platform, ntp }, request) {
    const { server } = request as NtpServer;
    if (!isHostNameOrAddress(server)) {
      const message = `${show(server)} is not a host name or an IP address`;
      throw invalid([{ field: 'server', message }]);
    }
    await platform.ntp.set(server);
    ntp.watch(server);
  },
};
