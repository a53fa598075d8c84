/** Network (GET and PUT /cloud/network). */
import { type Static, TextEnum, Type } from './schema.js';

export const GetNetwork = Type.Object(
  { interface: Type.Optional(TextEnum(['all', 'eth0', 'mlan0'])) },
  { description: 'Which interface; default all' },
);
export type GetNetwork = Static<typeof GetNetwork>;

/** GET answers it as a text, so a text is taken as well. */
const Flag = Type.Unsafe<boolean | 'true' | 'false'>({
  type: ['boolean', 'string'],
  enum: [true, false, 'true', 'false'],
});

const Ipv4 = Type.Object({
  dhcp: Type.Optional(Flag),
  ipAddress: Type.Optional(Type.String()),
  subnetMask: Type.Optional(Type.String()),
  gatewayAddress: Type.Optional(Type.String()),
  dnsAddress: Type.Optional(Type.String()),
  domainName: Type.Optional(Type.String()),
});
export type Ipv4Request = Static<typeof Ipv4>;

const wired = {
  IPV4: Type.Optional(Ipv4),
  IPV6: Type.Optional(Type.Object({ dhcp: Type.Optional(Flag) })),
  isEnabled: Type.Optional(Flag),
};
const Wired = Type.Object(wired);
const Wireless = Type.Object({
  ...wired,
  accesspoint: Type.Optional(
    Type.Object({
      essid: Type.Optional(Type.String({ maxLength: 32 })),
      autoConn: Type.Optional(Flag),
    }),
  ),
});
export type InterfaceRequest = Static<typeof Wireless>;

const NetworkInterface = Type.Object({
  eth0: Type.Optional(Wired),
  mlan0: Type.Optional(Wireless),
});

export const Network = Type.Object(
  {
    hostName: Type.String(),
    ipAddress: Type.String(),
    gatewayAddress: Type.String(),
    subnetMask: Type.String(),
    dnsAddress: Type.String(),
    dhcp: TextEnum(['true', 'false']),
    macAddress: Type.String(),
    networkInterface: Type.Optional(NetworkInterface),
  },
  { description: 'Network information: of the interface, or of the first that is enabled' },
);
export type Network = Static<typeof Network>;

export const SetNetwork = Type.Object(
  {
    hostName: Type.String({ minLength: 1 }),
    dhcp: Flag,
    macAdress: Type.Optional(
      Type.String({ description: 'Read only; spelled as in the interface' }),
    ),
    macAddress: Type.Optional(Type.String({ description: 'The same, as GET has it' })),
    ipAddress: Type.Optional(Type.String()),
    subnetMask: Type.Optional(Type.String()),
    gatewayAddress: Type.Optional(Type.String()),
    dnsAddress: Type.Optional(Type.String()),
    networkInterface: Type.Optional(NetworkInterface),
  },
  { description: 'Network configuration; without DHCP all four addresses are required' },
);
export type SetNetwork = Static<typeof SetNetwork>;
