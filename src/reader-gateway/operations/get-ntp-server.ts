import { NoPayload } from '../api/empty.js';
import { NtpServer } from '../api/time.js';
import type { Operation } from './operation.js';

export const getNtpServer: Operation = {
  name: 'getNtpServer',
  summary: 'The NTP server; empty if none is configured',
  method: 'GET',
  path: '/cloud/ntpServer',
  mqttCommand: 'get_ntp_server',
  channel: 'management',
  requestSchema: NoPayload,
  responseSchema: NtpServer,
  async run({ platform }): Promise<NtpServer> {
    return { server: await platform.ntp.read() };
  },
};
