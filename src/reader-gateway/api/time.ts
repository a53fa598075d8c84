/** Time zones and the NTP server (GET and PUT /cloud/timeZone, /cloud/ntpServer, supportedTimeZoneList). */
import { type Static, Type } from './schema.js';

export const TimeZone = Type.Object(
  { timeZone: Type.String({ description: 'Display name; the IANA name of a zone that has none' }) },
  { description: 'Time zone' },
);
export type TimeZone = Static<typeof TimeZone>;

export const SetTimeZone = Type.Object(
  {
    timeZone: Type.String({
      minLength: 1,
      description: 'One of the names of the list of time zones: of a zone, or of a place',
    }),
  },
  { description: 'Time zone to set' },
);
export type SetTimeZone = Static<typeof SetTimeZone>;

const ZoneOfName = {
  name: Type.String({ description: 'A name that can be set' }),
  zone: Type.String({ description: 'IANA name' }),
};

export const SupportedTimeZones = Type.Object(
  {
    SupportedTimeZones: Type.Array(
      Type.Object({
        ...ZoneOfName,
        places: Type.Array(Type.Object(ZoneOfName), {
          description: 'Places in it, which can be set by their own names',
        }),
      }),
    ),
  },
  { description: 'Time zones that can be set' },
);
export type SupportedTimeZones = Static<typeof SupportedTimeZones>;

export const NtpServer = Type.Object(
  {
    server: Type.String({
      description: 'Host name or IP address; empty in an answer: none is configured',
    }),
  },
  { description: 'NTP server' },
);
export type NtpServer = Static<typeof NtpServer>;
