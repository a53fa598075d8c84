/** The network of a Linux system, by NetworkManager. */
import { Variant } from '@jellybrick/dbus-next';
import t from 'tap';
import type { InterfaceSettings } from '../../src/platform/adapters.js';
import { NetworkManager } from '../../src/platform/linux/network-manager.js';
import type { Target } from '../../src/platform/linux/system-bus.js';
import { Services } from './services.js';

const NM = 'org.freedesktop.NetworkManager';
const at = (path: string, iface: string): Target => ({ destination: NM, path, interface: iface });
const MANAGER = at('/org/freedesktop/NetworkManager', NM);
const SETTINGS = at('/org/freedesktop/NetworkManager/Settings', `${NM}.Settings`);
const MOCK = at('/org/freedesktop', 'org.freedesktop.DBus.Mock');
const ACTIVATED = 100;

/** What the template does not have: checkpoints, and the second versions of the methods. */
async function startNetworkManager(services: Services) {
  await services.mock(NM, '--template', 'networkmanager');
  await services.method(
    MANAGER,
    'GetDeviceByIpIface',
    's',
    'o',
    [
      'ret = self.get_device_by_ip_iface(self, args[0])',
      `if ret is None: raise dbus.exceptions.DBusException('none', name='${NM}.UnknownDevice')`,
    ].join('\n'),
  );
  await services.method(
    MANAGER,
    'CheckpointCreate',
    'aouu',
    'o',
    [
      'self.saved = {}',
      'for path in objects:',
      "  settings = getattr(objects[path], 'settings', None)",
      '  if settings is not None: self.saved[path] = settings',
      `ret = '/org/freedesktop/NetworkManager/Checkpoint/1'`,
    ].join('\n'),
  );
  const restore =
    'for path in self.saved: objects[path].settings = self.saved[path]\nret = dbus.Dictionary({}, signature="su")';
  await services.method(MANAGER, 'CheckpointRollback', 'o', 'a{su}', restore);
  await services.method(MANAGER, 'CheckpointDestroy', 'o', '');
  const add = 'ret = (self.SettingsAddConnection(args[0]), dbus.Dictionary({}, signature="sv"))';
  await services.method(SETTINGS, 'AddConnection2', 'a{sa{sv}}ua{sv}', 'oa{sv}', add);
}

/** @returns Its path. */
async function device(services: Services, name: string, mac: string): Promise<string> {
  const body = [name, name, ACTIVATED];
  const path = String(await services.bus.call(MOCK, 'AddEthernetDevice', 'ssi', body));
  await services.properties(at(path, `${NM}.Device`), {
    HwAddress: ['s', mac],
    Ip4Config: ['o', '/'],
  });
  return path;
}

async function withUpdate(services: Services, connection: string): Promise<Target> {
  const target = at(connection, `${NM}.Settings.Connection`);
  const replace = 'self.settings = args[0]\nret = dbus.Dictionary({}, signature="sv")';
  await services.method(target, 'Update2', 'a{sa{sv}}ua{sv}', 'a{sv}', replace);
  return target;
}

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
const NO_ADDRESS = {
  ipAddress: '',
  subnetMask: '',
  gatewayAddress: '',
  dnsAddress: '',
  domainName: '',
};

t.test('NetworkManager', async (t) => {
  const services = await Services.start(t);
  await startNetworkManager(services);
  const network = new NetworkManager(services.bus, { activationMs: 2000, pollMs: 20 });
  const path = await device(services, 'eth0', '02:aa:bb:cc:dd:ee');

  t.test('only interfaces that are there are told', async (t) => {
    const state = await network.read();
    t.same(Object.keys(state), ['eth0']);
    t.match(state.eth0, {
      isEnabled: false,
      macAddress: '02:AA:BB:CC:DD:EE',
      ipv4: { dhcp: true },
    });
    await t.rejects(network.store({ mlan0: FIXED }), {
      code: 'UNAVAILABLE',
      message: /no interface mlan0/,
    });
  });

  let profile: Target;
  t.test('an interface without a profile gets one, and comes up with it', async (t) => {
    const apply = await network.store({ eth0: FIXED });
    t.equal(await services.calls(MANAGER, 'ActivateConnection'), 0, 'not before the answer');
    await apply();
    t.equal(await services.calls(MANAGER, 'ActivateConnection'), 1);
    t.equal(await services.calls(MANAGER, 'CheckpointDestroy'), 1);
    const [connection] = (await services.bus.call(SETTINGS, 'ListConnections')) as string[];
    profile = await withUpdate(services, String(connection));
    const active = await services.bus.property(at(path, `${NM}.Device`), 'ActiveConnection');
    t.match(active, /ActiveConnection/);
    const { eth0 } = await network.read();
    t.same(eth0, { ...FIXED, macAddress: '02:AA:BB:CC:DD:EE' });
  });

  t.test('a change keeps all else that the profile has', async (t) => {
    const before = await services.bus.call(profile, 'GetSettings');
    const dhcp = { ...FIXED, ipv4: { dhcp: true, ...NO_ADDRESS }, ipv6Dhcp: true };
    await (await network.store({ eth0: dhcp }))();
    t.match((await network.read()).eth0, dhcp);
    await (await network.store({ eth0: FIXED }))();
    t.same(await services.bus.call(profile, 'GetSettings'), before);
  });

  t.test('the addresses of a lease are those that are in force', async (t) => {
    const config = '/org/freedesktop/NetworkManager/IP4Config/7';
    const body = [config, `${NM}.IP4Config`, {}, []];
    await services.bus.call(MOCK, 'AddObject', 'ssa{sv}a(ssss)', body);
    const lease = {
      address: new Variant('s', '172.16.0.9'),
      prefix: new Variant('u', 20),
    };
    await services.properties(at(config, `${NM}.IP4Config`), {
      AddressData: ['aa{sv}', [lease]],
      Gateway: ['s', '172.16.0.1'],
      NameserverData: ['aa{sv}', [{ address: new Variant('s', '172.16.0.2') }]],
      Domains: ['as', ['lease.example']],
    });
    await services.bus.call(at(path, 'org.freedesktop.DBus.Properties'), 'Set', 'ssv', [
      `${NM}.Device`,
      'Ip4Config',
      new Variant('o', config),
    ]);
    t.same((await network.read()).eth0?.ipv4, {
      dhcp: false,
      ipAddress: '172.16.0.9',
      subnetMask: '255.255.240.0',
      gatewayAddress: '172.16.0.1',
      dnsAddress: '172.16.0.2',
      domainName: 'lease.example',
    });
  });

  t.test('settings that cannot be stored are rolled back', async (t) => {
    const before = await services.bus.call(profile, 'GetSettings');
    await services.fails(profile, 'Update2', 'a{sa{sv}}ua{sv}', 'a{sv}');
    await t.rejects(network.store({ eth0: { ...FIXED, ipv6Dhcp: true } }), {
      code: 'UNAVAILABLE',
      message: /Update2: org\.example\.Broken/,
    });
    t.equal(await services.calls(MANAGER, 'CheckpointRollback'), 1);
    t.same(await services.bus.call(profile, 'GetSettings'), before);
    await withUpdate(services, profile.path);
  });

  t.test('settings that do not come up are rolled back', async (t) => {
    const before = await services.bus.call(profile, 'GetSettings');
    await services.fails(MANAGER, 'ActivateConnection', 'ooo', 'o');
    const apply = await network.store({ eth0: { ...FIXED, ipv6Dhcp: true } });
    t.notSame(await services.bus.call(profile, 'GetSettings'), before);
    await t.rejects(apply(), { code: 'UNAVAILABLE', message: /ActivateConnection/ });
    t.equal(await services.calls(MANAGER, 'CheckpointRollback'), 2);
    t.same(await services.bus.call(profile, 'GetSettings'), before);
  });
});
