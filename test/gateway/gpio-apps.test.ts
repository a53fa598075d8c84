/** Inputs and outputs of user applications. */
import t from 'tap';
import { FakeRadio } from './fake-radio.js';
import { radioTarget, temporaryFolder, until } from './reader.js';
import { AppReader, answering, appPackage } from './user-apps.js';

t.test('an application sets outputs and hears of inputs', async (t) => {
  const stateDir = temporaryFolder(t);
  const radio = new FakeRadio();
  await radio.listen(radioTarget(stateDir));
  t.teardown(() => radio.kill());
  const apps = await AppReader.start(t, { stateDir, radio });
  await until('the lines are known', async () => {
    return (await apps.reader.call('GET', 'gpo')).status === 200;
  });
  const script = answering('(text) => { say(JSON.parse(text)); return JSON.stringify(got); }');
  await apps.installed(appPackage('light', script));
  await apps.do('light', 'start');
  await apps.connected('light');
  const say = async (message: object) => {
    const { json } = await apps.send('light', JSON.stringify(message));
    return JSON.parse(json.response);
  };

  await say({ type: 'GPO', pin: 2, state: 'HIGH' });
  await until('the output is set', () => radio.outputs[1] === true);

  await say({ type: 'GPO', pin: 4, state: 'HIGH' });
  radio.input(1, false);
  let got: object[] = [];
  await until('it has heard of both', async () => {
    got = await say({ type: 'GPO', pin: 2, state: 'HIGH' });
    return got.length >= 2;
  });
  const byType = (type: string) =>
    got.find((message) => (message as { type: string }).type === type);
  t.match(byType('ERROR'), { message: 'GPO: port: 4 is not one of 1, 2, 3' });
  t.strictSame(byType('GPI'), { type: 'GPI', pin: 1, state: 'LOW' });
});
