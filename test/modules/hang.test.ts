/**
 * A module that hangs: it takes what it is told, and answers nothing. Who asks it waits; who asks the reader
 * for something else is answered meanwhile.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import type { RadioClient } from '../../src/contract/client.js';
import { RadioState } from '../../src/contract/messages.js';
import type { NativeMercuryEmulator } from '../../src/radio-control/addon/addon.js';
import { FakeRadio } from '../gateway/fake-radio.js';
import {
  Listener,
  radioTarget,
  TestBroker,
  TestReader,
  temporaryFolder,
} from '../gateway/reader.js';
import { startRadioControlAt } from '../oem/radio-control.js';
import { emulated, radioOn, until } from './emulated.js';

const HANG_MS = 3000;
/** The module hangs for longer than this each time. */
const AGAIN_MS = 100;
/** The module is asked by then, and an answer of before is too old. */
const LATER_MS = 150;
/** A machine that does other things at the same time stands still now and then: it is tried again. */
const TRIES = 5;

/** From now on, until what is given is over or it has lasted long enough. */
async function hangDuring<T>(emulator: NativeMercuryEmulator, work: () => Promise<T>): Promise<T> {
  emulator.inject('hang');
  const again = setInterval(() => emulator.inject('hang'), AGAIN_MS);
  const enough = setTimeout(() => clearInterval(again), HANG_MS);
  try {
    return await work();
  } finally {
    clearInterval(again);
    clearTimeout(enough);
  }
}

/** Asks the module for one thing, then others for theirs: are all of these answered before it? */
async function answeredFirst(
  asked: () => Promise<unknown>,
  others: readonly (() => Promise<unknown>)[],
): Promise<boolean> {
  let over = false;
  const call = asked()
    .catch(() => {})
    .finally(() => {
      over = true;
    });
  // Twice: what is asked at first may come before the module is.
  await Promise.all(others.map((other) => other()));
  await sleep(LATER_MS);
  await Promise.all(others.map((other) => other()));
  const isFirst = !over;
  await call;
  return isFirst;
}

const isIdle = async (client: RadioClient) =>
  (await client.getStatus()).state === RadioState.RADIO_STATE_IDLE;

async function inTries(t: Test, what: string, once: () => Promise<boolean>): Promise<void> {
  for (let i = 0; i < TRIES; i++) if (await once()) return;
  t.fail(what);
}

t.test('a module that hangs at any command holds up no other call', async (t) => {
  const { path, emulator } = await emulated(t);
  const { client } = await radioOn(t, path);
  const others = [
    () => client.getStatus(),
    () => client.getCapabilities(),
    () => client.getLines(),
  ];
  const idle = async () => {
    await client.stopInventory({});
    await until(() => isIdle(client), 'the module is there, and idle');
  };
  const start = () => client.startInventory({ plan: {}, owner: 'test' });

  for (const [what, before, asked] of [
    ['a start', idle, start],
    ['a region', idle, () => client.setRegion({ region: 'etsi-lower' })],
    ['a stop', () => idle().then(start), () => client.stopInventory({})],
  ] as const) {
    await inTries(t, `${what} waits alone`, async () => {
      await before();
      return hangDuring(emulator, () => answeredFirst(asked, others));
    });
  }
  await idle();
  await start();
  t.equal((await client.getStatus()).state, RadioState.RADIO_STATE_READING, 'it reads again');
});

t.test('a stop while the module takes the settings of an inventory leaves it idle', async (t) => {
  const { path, emulator } = await emulated(t);
  const { client } = await radioOn(t, path);
  await until(() => isIdle(client), 'the module is connected');
  await hangDuring(emulator, async () => {
    const starting = client.startInventory({ plan: {}, owner: 'test' }).catch(() => {});
    // Calls are taken in their order: the start is under way then.
    await client.getStatus();
    await client.stopInventory({});
    await starting;
  });
  await until(() => isIdle(client), 'it does not read');
  const { inventoryId } = await client.startInventory({ plan: {}, owner: 'test' });
  t.not(inventoryId, '');
});

t.test('REST and MQTT answer while the module hangs', async (t) => {
  const { path, emulator } = await emulated(t);
  const stateDir = temporaryFolder(t);
  const socket = radioTarget(stateDir).replace('unix:', '');
  await startRadioControlAt(t, socket, ['--radio', `mercury:${path}`]);
  const broker = new TestBroker();
  await broker.start();
  const listener = new Listener(broker.url, '#');
  // The real radio service listens in its place.
  const reader = await TestReader.start(t, { stateDir, radio: new FakeRadio(), broker });
  t.teardown(async () => {
    await reader.gateway.stop();
    listener.client.end(true);
    await broker.stop();
  });
  await until(() => listener.subscribed, 'the listener is there');
  await until(
    () => reader.endpoints.some((one) => one.interface === 'control' && one.state === 'connected'),
    'commands are taken',
  );
  const status = async () => (await reader.call('GET', 'status')).json;
  await until(async () => (await status()).radioConnection === 'connected', 'the radio is there');

  let lastId = 0;
  const byMqtt = async () => {
    const id = `id ${++lastId}`;
    const message = JSON.stringify({ command: 'get_status', command_id: id, payload: {} });
    listener.client.publish('singulate/m-req', message);
    await until(
      () => listener.messages.some(({ json }) => json.command_id === id && json.response),
      'the answer comes',
    );
  };
  await inTries(t, 'a start waits alone', async () => {
    await reader.call('PUT', 'stop', {});
    await until(async () => (await status()).radioConnection === 'connected', 'it is there');
    return hangDuring(emulator, () =>
      answeredFirst(() => reader.call('PUT', 'start', {}), [status, byMqtt]),
    );
  });
});
