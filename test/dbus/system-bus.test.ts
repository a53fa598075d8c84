/** The one connection to the system bus: signals, time limits, a bus that goes and comes. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Variant } from '@jellybrick/dbus-next';
import t from 'tap';
import { ServiceRefusal, SystemBus, type Target } from '../../src/platform/linux/system-bus.js';
import { until } from '../gateway/reader.js';
import { Services } from './services.js';

const THING: Target = {
  destination: 'org.example.Thing',
  path: '/org/example/Thing',
  interface: 'org.example.Thing',
};

t.test('the system bus', async (t) => {
  const services = await Services.start(t);
  const mock = () =>
    services.mock(THING.destination, '--system', THING.destination, THING.path, THING.interface);
  const thing = await mock();
  await services.method(THING, 'Hang', '', '', 'import time\ntime.sleep(2)');
  await services.method(THING, 'Two', '', 'si', 'ret = ("a", 7)');
  const bus = new SystemBus(services.address, 500);
  t.teardown(() => bus.close());
  const emit = (text: string) =>
    services.bus.call({ ...THING, interface: 'org.freedesktop.DBus.Mock' }, 'EmitSignal', 'sssav', [
      THING.interface,
      'Changed',
      's',
      [new Variant('s', text)],
    ]);

  t.test('a call gives the first value, or all of them', async (t) => {
    t.equal(await bus.call(THING, 'Two'), 'a');
    t.same(await bus.callForAll(THING, 'Two'), ['a', 7]);
  });

  t.test('what a service refuses has its name and its words', async (t) => {
    await services.fails(THING, 'Broken', '');
    const error = await bus.call(THING, 'Broken').catch((reason) => reason);
    t.ok(error instanceof ServiceRefusal);
    t.match(error, {
      code: 'UNAVAILABLE',
      type: 'org.example.Broken',
      message: 'org.example.Thing Broken: org.example.Broken: out of order',
    });
    const nobody = { ...THING, destination: 'org.example.Nobody', title: 'the other one' };
    await t.rejects(bus.call(nobody, 'Two'), {
      code: 'UNAVAILABLE',
      message: /^the other one Two: does not answer/,
    });
  });

  const heard: unknown[] = [];
  t.test('signals come until they are no longer wanted', async (t) => {
    const stop = await bus.listen(THING, 'Changed', ([text]) => heard.push(text));
    await emit('one');
    await until('the signal', () => heard.length === 1);
    t.same(heard, ['one']);
    stop();
    await emit('two');
    await bus.call(THING, 'Two');
    t.same(heard, ['one']);
  });

  t.test('a service that hangs is an error in time, and the next call is made again', async (t) => {
    await bus.listen(THING, 'Changed', ([text]) => heard.push(text));
    await t.rejects(bus.call(THING, 'Hang'), {
      code: 'UNAVAILABLE',
      message: /Thing Hang: does not answer in time/,
    });
    await sleep(2000);
    t.equal(await bus.call(THING, 'Two'), 'a');
    await emit('three');
    await until('signals come again', () => heard.includes('three'));
  });

  t.test('a bus that goes fails what waits, and is found again', async (t) => {
    const waiting = bus.call(THING, 'Hang', '', [], 20_000);
    await Promise.all([
      t.rejects(waiting, { code: 'UNAVAILABLE' }, 'at once, not after its time'),
      sleep(200).then(() => services.restartBus()),
    ]);
    thing.kill('SIGKILL');
    await mock();
    await services.method(THING, 'Two', '', 'si', 'ret = ("b", 8)');
    t.equal(await bus.call(THING, 'Two'), 'b');
  });
});
