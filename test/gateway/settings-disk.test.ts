/**
 * A disk that takes nothing, at each setting: the answer says so, and the file, what GET answers and
 * what the radio does stay together. The radio service and the gateway are processes of their own:
 * a limit on the size of files makes the writes of the gateway fail as a full disk does.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { RadioClient } from '../../src/contract/client.js';
import { RadioState } from '../../src/contract/messages.js';
import { OPERATIONS } from '../../src/reader-gateway/operations/table.js';
import { startRadioControlAt } from '../oem/radio-control.js';
import { GatewayProcess } from './gateway-process.js';
import { basic, PASSWORD, radioTarget, send, temporaryFolder, until } from './reader.js';

interface Case {
  file: string;
  path: string;
  body: unknown;
  /** What tells that it holds, below /cloud. */
  shown: string;
  /** The part of its answer that does; left out: all of it. */
  // biome-ignore lint/suspicious/noExplicitAny: an answer
  part?: (answer: any) => unknown;
  /** The radio must not read. */
  stopped?: true;
}

const NETWORK = {
  hostName: 'dock-8',
  ipAddress: '192.0.2.77',
  subnetMask: '255.255.255.0',
  gatewayAddress: '192.0.2.1',
  dnsAddress: '192.0.2.1',
  dhcp: 'false',
};
const CONNECTION = {
  type: 'httpPost',
  name: 'sink',
  options: { URL: 'http://127.0.0.1:9/', security: { authenticationType: 'NONE' } },
};
const ENDPOINTS = { endpointConfig: { data: { event: { connections: [CONNECTION] } } } };

/** By the name of the operation. */
const SETTINGS: Record<string, Case> = {
  setMode: {
    file: 'mode.json',
    path: 'mode',
    body: { type: 'INVENTORY', antennas: [1] },
    shown: 'mode',
  },
  setCableLossCompensation: {
    file: 'cable-loss.json',
    path: 'cableLossCompensation',
    body: { 1: { cableLength: 10, cableLossPerHundredFt: 20 } },
    shown: 'cableLossCompensation',
  },
  setConfig: { file: 'config.json', path: 'config', body: { xml: '<new/>' }, shown: 'config' },
  setGpioLed: {
    file: 'config.json',
    path: 'gpioLed',
    body: { GPODefaults: { 1: 'HIGH' } },
    shown: 'gpioLed',
  },
  setManagementEventConfig: {
    file: 'config.json',
    path: 'managementEventConfig',
    body: { gpiEvents: false },
    shown: 'managementEventConfig',
  },
  importCloudConfig: {
    file: 'config.json',
    path: 'cloudConfig',
    body: ENDPOINTS,
    shown: 'config',
  },
  setLogConfig: {
    file: 'logs.json',
    path: 'logs',
    body: { components: [{ componentName: 'radio_control', level: 'WARNING' }] },
    shown: 'logs',
  },
  setNameAndDescription: {
    file: 'name.json',
    path: 'nameAndDescription',
    body: { name: 'dock 7', description: 'left' },
    shown: 'nameAndDescription',
  },
  setHostname: {
    file: 'device.json',
    path: 'hostname',
    body: { hostname: 'dock-7' },
    shown: 'network',
    part: ({ hostName }) => hostName,
  },
  setNetwork: { file: 'device.json', path: 'network', body: NETWORK, shown: 'network' },
  setTimeZone: {
    file: 'device.json',
    path: 'timeZone',
    body: { timeZone: 'Berlin' },
    shown: 'timeZone',
  },
  setNtpServer: {
    file: 'device.json',
    path: 'ntpServer',
    body: { server: '192.0.2.123' },
    shown: 'ntpServer',
  },
  setRegion: {
    file: 'region.json',
    path: 'region',
    body: { region: 'etsi-lower' },
    shown: 'region',
    stopped: true,
  },
};

/** The radio goes on with another plan for them. */
const PLANNED: readonly string[] = ['setMode', 'setCableLossCompensation'];

/** Those that set nothing which lasts, or have tests of their own for it. */
const OTHERS: Record<string, string> = {
  explainMode: 'sets nothing',
  testConnection: 'sets nothing',
  setDataToRG: 'sets nothing',
  passThrough: 'sets nothing',
  setAppLed: 'until the next restart',
  setGpo: 'until the next restart',
  purgeLog: 'writes nothing',
  start: 'below',
  stop: 'below',
  importConfig: 'below',
  updatePassword: 'below',
  resetConfig: 'below',
};

const STORAGE = 14;

class World {
  #token = '';

  private constructor(
    readonly stateDir: string,
    readonly gateway: GatewayProcess,
    readonly radio: RadioClient,
  ) {}

  static async start(t: Test): Promise<World> {
    const stateDir = temporaryFolder(t);
    const socket = radioTarget(stateDir).replace('unix:', '');
    const { target } = await startRadioControlAt(t, socket, ['--seed', '1']);
    const gateway = await GatewayProcess.start(t, stateDir);
    t.teardown(() => gateway.child.kill('SIGKILL'));
    await gateway.ready(1);
    const radio = new RadioClient(target);
    t.teardown(() => radio.close());
    const world = new World(stateDir, gateway, radio);
    await until('the radio is connected', async () => {
      const { json } = await world.call('GET', 'status');
      return json.radioConnection === 'connected';
    });
    return world;
  }

  /** With one login for all: each costs the hash of the password. */
  async call(method: string, path: string, body?: unknown) {
    const url = this.gateway.urls.at(-1) ?? '';
    if (this.#token === '') {
      const login = { headers: basic('admin', PASSWORD) };
      this.#token = (await send(url, 'GET', '/cloud/localRestLogin', login)).json.message;
    }
    const headers = { authorization: `Bearer ${this.#token}` };
    return send(url, method, `/cloud/${path}`, { body, headers });
  }

  /** No byte can be written to a file: what a full disk does, told by another error. */
  limitFiles(limit: '0' | 'unlimited'): void {
    execFileSync('prlimit', ['--pid', String(this.gateway.child.pid), `--fsize=${limit}:`]);
  }

  file(name: string): string | undefined {
    const path = join(this.stateDir, name);
    return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  }

  /** What must agree with each other. */
  async facts({ file, shown, part = (all) => all }: Case) {
    const { state, plan, inventoryId } = await this.radio.getStatus();
    const { region, channelsKhz } = await this.radio.listRegions();
    return {
      file: this.file(file),
      shown: part((await this.call('GET', shown)).json),
      radio: { state, plan, inventoryId, region, channelsKhz },
    };
  }

  /** All settings, byte for byte. */
  files() {
    const names = readdirSync(this.stateDir).filter((name) => /\.(json|tmp)$/.test(name));
    return names.map((name) => [name, this.file(name)]);
  }

  /** Nothing else of a write that failed is left. */
  get leftovers(): string[] {
    return readdirSync(this.stateDir).filter((name) => name.endsWith('.tmp'));
  }
}

/** Ways in which nothing can be written, each with how to end it. */
const FAILURES: [name: string, begin: (world: World, file: string) => () => void][] = [
  [
    'a disk without space',
    (world) => {
      world.limitFiles('0');
      return () => world.limitFiles('unlimited');
    },
  ],
  [
    'something else in the place of the file',
    (world, file) => {
      const path = join(world.stateDir, file);
      const aside = `${path}.aside`;
      const isThere = existsSync(path);
      if (isThere) renameSync(path, aside);
      mkdirSync(path);
      return () => {
        rmdirSync(path);
        if (isThere) renameSync(aside, path);
      };
    },
  ],
];

t.test('every operation that changes something is looked at', async (t) => {
  const prefixes = [
    '/cloud/certificates',
    '/cloud/apps',
    '/cloud/os',
    '/cloud/reboot',
    '/cloud/revertbackOS',
  ];
  const changing = OPERATIONS.filter(({ method }) => method !== 'GET')
    // They keep files of their own kind, and have tests of their own.
    .filter(({ path }) => !prefixes.some((prefix) => path.startsWith(prefix)))
    .map(({ name }) => name)
    .filter((name) => !(name in SETTINGS) && !(name in OTHERS));
  t.same(changing, []);
});

t.test('a disk that takes nothing', async (t) => {
  // One for all: what a start costs is most of it.
  const world = await World.start(t);

  await t.test(
    'a setting that cannot be stored changes nothing, and is taken once it can',
    async (t) => {
      t.equal((await world.call('PUT', 'start', {})).status, 200);
      const { json: network } = await world.call('GET', 'network');
      let reads = true;
      for (const [name, setting] of Object.entries(SETTINGS)) {
        if (reads && setting.stopped) {
          t.equal((await world.call('PUT', 'stop', {})).status, 200);
          reads = false;
        }
        const body =
          name === 'setNetwork' ? { ...NETWORK, macAdress: network.macAddress } : setting.body;
        for (const [failure, begin] of FAILURES) {
          const before = await world.facts(setting);
          const end = begin(world, setting.file);
          const answer = await world.call('PUT', setting.path, body);
          const { json } = await world.call('GET', setting.shown);
          end();
          const about = `${name}, ${failure}`;
          t.match(answer, { status: 500, json: { code: STORAGE } }, `${about}: ${answer.text}`);
          t.match(answer.json.message, new RegExp(`${setting.file}.*state folder`), about);
          t.same((setting.part ?? ((all) => all))(json), before.shown, `${about}: GET meanwhile`);
          t.same(await world.facts(setting), before, about);
          t.same(world.leftovers, [], about);
        }
        // Each plan that the radio takes up gets the next number: of those before there was none.
        const nextPlan = PLANNED.includes(name)
          ? (await world.radio.getStatus()).plan + 1
          : undefined;
        const before = await world.facts(setting);
        const taken = await world.call('PUT', setting.path, body);
        t.equal(taken.status, 200, `${name}: ${taken.text}`);
        const after = await world.facts(setting);
        t.not(after.file, before.file, `${name} is in its file`);
        t.notSame(after.shown, before.shown, `${name} is shown`);
        if (nextPlan === undefined) continue;
        await until('the radio has taken it up', async () => {
          const { plan } = await world.radio.getStatus();
          return plan > before.radio.plan;
        });
        t.equal((await world.radio.getStatus()).plan, nextPlan, `${name} is the first plan since`);
      }
    },
  );

  await t.test('what is more than one file is all of it or nothing', async (t) => {
    const { json: before } = await world.call('GET', 'config/export');
    const next = {
      ...before,
      config: { ...before.config, xml: '<imported/>' },
      mode: { type: 'CONVEYOR', antennas: [2] },
      cableLoss: { 2: { cableLength: 10, cableLossPerHundredFt: 20 } },
      nameAndDescription: { name: 'dock 9', description: 'right' },
    };
    const { file } = SETTINGS.setConfig as Case;
    const files = world.files();
    // Of the files of an import that of the configuration is the last.
    const [, begin] = FAILURES[1] as (typeof FAILURES)[number];
    const end = begin(world, file);
    const refused = await world.call('PUT', 'config/import', next);
    end();
    t.match(refused, { status: 500, json: { code: STORAGE } }, refused.text);
    t.same((await world.call('GET', 'config/export')).json, before);
    t.same(world.files(), files);
    t.equal((await world.call('PUT', 'config/import', next)).status, 200);
    t.match((await world.call('GET', 'config/export')).json, next);
  });

  await t.test('a start that cannot be remembered is none, and a stop always stops', async (t) => {
    const isReading = async () =>
      (await world.radio.getStatus()).state === RadioState.RADIO_STATE_READING;
    const before = world.file('run.json');
    world.limitFiles('0');
    t.match(await world.call('PUT', 'start', {}), { status: 500, json: { code: STORAGE } });
    t.equal(await isReading(), false);
    t.equal(world.file('run.json'), before);
    world.limitFiles('unlimited');
    t.equal((await world.call('PUT', 'start', {})).status, 200);
    world.limitFiles('0');
    t.equal((await world.call('PUT', 'stop', {})).status, 200);
    t.equal(await isReading(), false);
    t.equal(world.file('run.json'), undefined, 'its removal needs no space');
    world.limitFiles('unlimited');
  });

  await t.test('a factory reset that cannot be noted does not come', async (t) => {
    world.limitFiles('0');
    const refused = await world.call('PUT', 'config/reset', { confirm: true });
    world.limitFiles('unlimited');
    t.match(refused, { status: 500, json: { code: STORAGE } }, refused.text);
    t.equal(world.file('reset.json'), undefined);
  });

  // Last: it ends the login of this test.
  await t.test('a password that cannot be stored is not changed', async (t) => {
    const change = {
      userName: 'admin',
      currentPassword: PASSWORD,
      newPassword: 'another password',
    };
    const before = world.file('auth.json');
    world.limitFiles('0');
    const refused = await world.call('PUT', 'updatePassword', change);
    world.limitFiles('unlimited');
    t.match(refused, { status: 500, json: { code: STORAGE } }, refused.text);
    t.equal(world.file('auth.json'), before);
    t.equal((await world.call('GET', 'version')).status, 200, 'tokens of before are good');
    t.equal((await world.call('PUT', 'updatePassword', change)).status, 200);
    t.equal((await world.call('GET', 'version')).status, 401);
  });
});
