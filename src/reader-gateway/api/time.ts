/** Time zone and NTP server (GET and PUT /cloud/timeZone, /cloud/ntpServer). */
import { type Static, Type } from './schema.js';

export const TimeZone = Type.Object(
  {
    timeZone: Type.String({
      minLength: 1,
      description: 'One of the names of docs/system-settings.md: of a zone, or of a place',
    }),
  },
  { description: 'Time zone' },
);
export type TimeZone = Static<typeof TimeZone>;

export const NtpServer = Type.Object(
  {
    server: Type.String({
      description: 'Host name or IP address; empty in an answer: none is configured',
    }),
  },
  { description: 'NTP server' },
);
export type NtpServer = Static<typeof NtpServer>;
