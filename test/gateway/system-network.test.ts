/** Network and host name of the emulated device. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { localMac } from '../../src/platform/emulated/emulated-network.js';
import { TestReader } from './reader.js';

t.test('network and host name', async (t) => {
  const reader = await TestReader.start(t);
  let { gateway } = reader;
  t.teardown(() => gateway.stop());
  const get = async (name?: string) => {
    const body = name === undefined ? undefined : { interface: name };
    return (await reader.call('GET', 'network', body)).json;
  };
  const mac = (await get()).macAddress;
  const FIXED = {
    dhcp: false,
    ipAddress: '10.1.2.3',
    subnetMask: '255.255.0.0',
    gatewayAddress: '10.1.0.1',
    dnsAddress: '9.9.9.9',
  };
  const set = (change: object) =>
    reader.call('PUT', 'network', { hostName: 'portal-1', macAdress: mac, ...change });

  t.test('all interfaces, or the one that is asked for', async (t) => {
    const all = await get('all');
    t.match(all, { dhcp: 'true', macAddress: /^([0-9A-F]{2}:){5}[0-9A-F]{2}$/ });
    t.same(Object.keys(all.networkInterface), ['eth0', 'mlan0']);
    const wireless = await get('mlan0');
    t.not(wireless.macAddress, all.macAddress);
    t.ok(Number.parseInt(wireless.macAddress.slice(0, 2), 16) & 0x02, 'locally administered');
    for (const [one, other] of [
      ['00:11:22:33:44:55', '02:11:22:33:44:55'],
      ['02:FC:22:33:44:55', '06:FC:22:33:44:55'],
      ['FE:FC:22:33:44:55', 'FA:FC:22:33:44:55'],
    ] as const) {
      t.equal(localMac(one), other);
    }
    t.notOk('networkInterface' in wireless);
    t.match(await reader.call('GET', 'network', { interface: 'eth1' }), {
      status: 400,
      json: { code: 1, message: 'interface: "eth1" is not one of all, eth0, mlan0' },
    });
  });

  t.test('a fixed address is set, and what GET gives can be set again', async (t) => {
    t.match(await set(FIXED), { status: 200, text: '' });
    const after = await get();
    t.match(after, { ...FIXED, dhcp: 'false', hostName: 'portal-1' });
    t.match(await reader.call('PUT', 'network', after), { status: 200 });
    t.same(await get(), after);
  });

  t.test('both interfaces in one request', async (t) => {
    const { status } = await set({
      dhcp: true,
      networkInterface: {
        eth0: { IPV4: { ...FIXED, domainName: 'shop.example' }, IPV6: { dhcp: false } },
        mlan0: { isEnabled: 'true', accesspoint: { essid: 'store', autoConn: true } },
      },
    });
    t.equal(status, 200);
    const { networkInterface } = await get();
    t.match(networkInterface.eth0, {
      IPV4: { ...FIXED, domainName: 'shop.example' },
      IPV6: { dhcp: false },
      isEnabled: true,
    });
    t.match(networkInterface.mlan0, {
      isEnabled: true,
      IPV4: { dhcp: true },
      accesspoint: { essid: 'store', autoConn: true },
    });
  });

  t.test('a wrong request names every field, and changes nothing', async (t) => {
    const before = await get();
    const cases: [object, RegExp][] = [
      [{ dhcp: 'no' }, /dhcp: "no" is not one of true, false, "true", "false"$/],
      [{ dhcp: true, hostName: 'a b' }, /hostName: "a b" is not a host name/],
      [
        { dhcp: true, hostName: 'a'.repeat(64) },
        /hostName: .* labels of 1 to 63 letters.*at most 64 characters/,
      ],
      [{ dhcp: true, macAdress: '00:00:00:00:00:01' }, /macAdress: .* it is read only/],
      [{ dhcp: true, macAdress: undefined }, /macAdress: is required/],
      [{ ...FIXED, ipAddress: '10.1.2.300' }, /ipAddress: "10.1.2.300" is not the IPv4 address/],
      [{ ...FIXED, ipAddress: '224.0.0.1' }, /ipAddress: "224.0.0.1" is not the IPv4 address/],
      [{ ...FIXED, ipAddress: '10.1.255.255' }, /ipAddress: .* broadcast/],
      [{ ...FIXED, subnetMask: '255.0.255.0' }, /subnetMask: "255.0.255.0" is not a subnet mask/],
      [{ ...FIXED, gatewayAddress: '10.2.0.1' }, /gatewayAddress: .* is not another host/],
      [
        {
          dhcp: true,
          networkInterface: { eth0: { isEnabled: false }, mlan0: { isEnabled: false } },
        },
        /^networkInterface: isEnabled is false for every one/,
      ],
      [
        {
          dhcp: true,
          networkInterface: { mlan0: { IPV4: { dhcp: false, ipAddress: '10.0.0.2' } } },
        },
        /networkInterface\.mlan0\.IPV4\.subnetMask: is required without DHCP.*dnsAddress/,
      ],
    ];
    for (const [change, message] of cases) {
      t.match(await set(change), { status: 400, json: { code: 1, message } });
    }
    t.match(await reader.call('PUT', 'network', {}), {
      status: 400,
      json: { message: 'hostName: is required; dhcp: is required; macAdress: is required' },
    });
    t.same(await get(), before);
  });

  t.test('the host name by its own operation, in events too', async (t) => {
    t.match(await reader.call('PUT', 'hostname', { hostname: 'dock-7.example' }), { status: 200 });
    t.equal((await get()).hostName, 'dock-7.example');
    for (const hostname of ['', '-a', 'a..b', 'a_b', '10.0.0.1', 'x'.repeat(65)]) {
      t.match(await reader.call('PUT', 'hostname', { hostname }), {
        status: 400,
        json: { code: 1, message: /^hostname: / },
      });
    }
    t.equal((await get()).hostName, 'dock-7.example');
  });

  t.test('an interface that stays as it is is left alone', async (t) => {
    const file = join(reader.stateDir, 'device.json');
    const before = JSON.parse(await readFile(file, 'utf8'));
    const { macAddress, networkInterface } = await get();
    const { mlan0 } = networkInterface;
    // A write of all settings would bring it back.
    delete before.network.mlan0;
    await writeFile(file, JSON.stringify(before));
    const same = { ...networkInterface, mlan0: { ...mlan0, IPV6: { dhcp: 'true' } } };
    const body = { ...(await get()), macAddress, networkInterface: same };
    t.match(await reader.call('PUT', 'network', body), { status: 200 });
    t.same(JSON.parse(await readFile(file, 'utf8')), before, 'nothing was written');
    const other = { ...body, networkInterface: { eth0: { IPV6: { dhcp: true } } } };
    t.match(await reader.call('PUT', 'network', other), { status: 200 });
    const after = JSON.parse(await readFile(file, 'utf8'));
    t.equal(after.network.eth0.ipv6Dhcp, true);
  });

  t.test('it lasts across a restart', async (t) => {
    const before = await get();
    await gateway.stop();
    const next = await TestReader.start(t, { stateDir: reader.stateDir, radio: reader.radio });
    gateway = next.gateway;
    t.same((await next.call('GET', 'network')).json, before);
  });
});
