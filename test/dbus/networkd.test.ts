/** The network of a Linux system, by systemd-networkd. */
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { InterfaceSettings } from '../../src/platform/adapters.js';
import { LinuxNetwork } from '../../src/platform/linux/linux-network.js';
import { NETWORKD, Networkd } from '../../src/platform/linux/networkd.js';
import { temporaryFolder } from '../gateway/reader.js';
import { Services } from './services.js';

const LEASE = {
  Index: 2,
  Name: 'eth0',
  SetupState: 'configured',
  OperationalState: 'routable',
  NetworkFile: '/usr/lib/systemd/network/80-wired.network',
  Addresses: [
    { Family: 10, Address: [254, 128, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], PrefixLength: 64 },
    { Family: 2, Address: [172, 16, 0, 9], PrefixLength: 20, ConfigSource: 'DHCPv4' },
  ],
  Routes: [
    { Family: 2, Destination: [172, 16, 0, 0], DestinationPrefixLength: 20 },
    { Family: 2, Destination: [0, 0, 0, 0], DestinationPrefixLength: 0, Gateway: [172, 16, 0, 1] },
  ],
  DNS: [{ Family: 2, Address: [172, 16, 0, 2] }],
  SearchDomains: [{ Domain: 'lease.example' }],
};
const FIXED: InterfaceSettings = {
  isEnabled: true,
  ipv4: {
    dhcp: false,
    ipAddress: '10.1.2.3',
    subnetMask: '255.255.240.0',
    gatewayAddress: '10.1.0.1',
    dnsAddress: '9.8.7.6',
    domainName: 'shop.example',
  },
  ipv6Dhcp: false,
};

t.test('systemd-networkd', async (t) => {
  const services = await Services.start(t);
  const { destination, path } = NETWORKD;
  const networkd = await services.mock(
    destination,
    '--system',
    destination,
    path,
    NETWORKD.interface,
  );
  await services.method(
    NETWORKD,
    'GetLinkByName',
    's',
    'io',
    [
      "if args[0] not in ('eth0', 'mlan0'): raise dbus.exceptions.DBusException('Link not known', name='org.freedesktop.network1.NoSuchLink')",
      "ret = (2 if args[0] == 'eth0' else 3, '/org/freedesktop/network1/link/_32')",
    ].join('\n'),
  );
  await services.method(NETWORKD, 'Reload', '', '');
  await services.method(NETWORKD, 'ReconfigureLink', 'i', '');
  const describe = (link: object) =>
    services.method(NETWORKD, 'DescribeLink', 'i', 's', `ret = '${JSON.stringify(link)}'`);
  await describe(LEASE);
  const folder = join(temporaryFolder(t), 'network');
  const sys = temporaryFolder(t);
  for (const name of ['eth0', 'mlan0']) {
    mkdirSync(join(sys, 'class/net', name), { recursive: true });
    writeFileSync(join(sys, 'class/net', name, 'address'), '02:aa:bb:cc:dd:ee\n');
  }
  const file = join(folder, '05-singulate-eth0.network');
  const options = { folder, sys, activationMs: 1000, pollMs: 20 };
  // The one that owns its name on the bus is taken.
  const network = new LinuxNetwork(services.bus, undefined, new Networkd(services.bus, options));
  const reloads = () => services.calls(NETWORKD, 'Reload');

  t.test('the state is what the link has', async (t) => {
    const { eth0, mlan0 } = await network.read();
    t.same(eth0, {
      isEnabled: true,
      ipv4: {
        dhcp: true,
        ipAddress: '172.16.0.9',
        subnetMask: '255.255.240.0',
        gatewayAddress: '172.16.0.1',
        dnsAddress: '172.16.0.2',
        domainName: 'lease.example',
      },
      ipv6Dhcp: true,
      macAddress: '02:AA:BB:CC:DD:EE',
    });
    t.same(mlan0?.accessPoint, { essid: '', autoConn: true });
  });

  t.test('settings are written before the answer, and put in force after it', async (t) => {
    const apply = await network.store({ eth0: FIXED });
    t.equal(await reloads(), 0, 'not before the answer');
    t.equal(statSync(file).mode & 0o777, 0o644);
    t.equal(
      readFileSync(file, 'utf8').replace(/^#.*\n/, ''),
      [
        '[Match]',
        'Name=eth0',
        '',
        '[Link]',
        'ActivationPolicy=up',
        '',
        '[Network]',
        'DHCP=no',
        'IPv6AcceptRA=no',
        'Address=10.1.2.3/20',
        'Gateway=10.1.0.1',
        'DNS=9.8.7.6',
        'Domains=shop.example',
        '',
      ].join('\n'),
    );
    const now = [{ Family: 2, Address: [10, 1, 2, 3], PrefixLength: 20, ConfigSource: 'static' }];
    await describe({ ...LEASE, NetworkFile: file, Addresses: now });
    await apply();
    t.equal(await reloads(), 1);
    t.same(await services.argumentsOf(NETWORKD, 'ReconfigureLink'), [[2]]);
    t.same((await network.read()).eth0, { ...FIXED, macAddress: '02:AA:BB:CC:DD:EE' });
  });

  t.test('an interface that is switched off is down when that is done', async (t) => {
    const apply = await network.store({ eth0: { ...FIXED, isEnabled: false } });
    t.match(readFileSync(file, 'utf8'), /^ActivationPolicy=always-down$/m);
    await describe({
      Index: 2,
      NetworkFile: file,
      SetupState: 'configured',
      OperationalState: 'off',
    });
    await apply();
    t.equal((await network.read()).eth0?.isEnabled, false);
    const now = [{ Family: 2, Address: [10, 1, 2, 3], PrefixLength: 20, ConfigSource: 'static' }];
    await describe({ ...LEASE, NetworkFile: file, Addresses: now });
    await (await network.store({ eth0: FIXED }))();
  });

  t.test('settings that do not come up are taken back', async (t) => {
    const before = readFileSync(file, 'utf8');
    const reloadsBefore = await reloads();
    const other = { ...FIXED, ipv4: { ...FIXED.ipv4, ipAddress: '10.1.2.4' } };
    const apply = await network.store({ eth0: other });
    t.not(readFileSync(file, 'utf8'), before);
    await t.rejects(apply(), { code: 'UNAVAILABLE', message: /eth0 does not come up/ });
    t.equal(readFileSync(file, 'utf8'), before);
    t.equal((await reloads()) - reloadsBefore, 2, 'once with the new ones, once with the old');
  });

  t.test('a networkd that refuses is an error, with its words, and all is as it was', async (t) => {
    const before = readFileSync(file, 'utf8');
    await services.fails(NETWORKD, 'Reload', '');
    const apply = await network.store({ eth0: { ...FIXED, ipv6Dhcp: true } });
    await t.rejects(apply(), {
      code: 'UNAVAILABLE',
      message: /network1 Reload: org\.example\.Broken: out of order/,
    });
    t.equal(readFileSync(file, 'utf8'), before);
    await services.method(NETWORKD, 'Reload', '', '');
  });

  t.test('all interfaces are stored, or none', async (t) => {
    const before = readFileSync(file, 'utf8');
    const wifi = { ...FIXED, accessPoint: { essid: 'shop floor', autoConn: true } };
    await t.rejects(network.store({ eth0: { ...FIXED, ipv6Dhcp: true }, mlan0: wifi }), {
      code: 'UNAVAILABLE',
      message: /does not set the access point/,
    });
    t.equal(readFileSync(file, 'utf8'), before);
    mkdirSync(join(folder, '05-singulate-mlan0.network'));
    const known = { ...FIXED, accessPoint: { essid: '', autoConn: true } };
    await t.rejects(network.store({ eth0: { ...FIXED, ipv6Dhcp: true }, mlan0: known }), {
      code: 'UNAVAILABLE',
      message: /05-singulate-mlan0\.network/,
    });
    t.equal(readFileSync(file, 'utf8'), before);
    t.ok(existsSync(folder));
  });

  t.test('a network service that has gone is an error', async (t) => {
    networkd.kill('SIGKILL');
    await new Promise((resolve) => networkd.once('exit', resolve));
    await t.rejects(network.read(), {
      code: 'UNAVAILABLE',
      message: /neither NetworkManager nor systemd-networkd|network1/,
    });
  });
});
