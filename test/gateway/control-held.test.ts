import t from 'tap';
import { RadioClient } from '../../src/contract/client.js';
import { RadioState } from '../../src/contract/messages.js';
import { startRadioControlAt } from '../oem/radio-control.js';
import { FakeRadio } from './fake-radio.js';
import { radioTarget, TestReader, temporaryFolder, until } from './reader.js';

t.test('while an OEM program has control the reader yields, and says to whom', async (t) => {
  const stateDir = temporaryFolder(t);
  const service = await startRadioControlAt(t, radioTarget(stateDir).replace('unix:', ''), [
    '--seed',
    '1',
  ]);
  // The real radio service listens in its place.
  const reader = await TestReader.start(t, { stateDir, radio: new FakeRadio() });
  t.teardown(() => reader.gateway.stop());
  const oem = new RadioClient(service.target);
  t.teardown(() => oem.close());
  const isReading = async () => (await oem.getStatus()).state === RadioState.RADIO_STATE_READING;

  await until('the gateway sees the radio', async () => {
    const { json } = await reader.call('GET', 'status');
    return json.radioConnection === 'connected';
  });
  t.equal((await reader.call('PUT', 'start', {})).status, 200);
  t.equal(await isReading(), true);

  const { leaseId } = await oem.acquireControl({ owner: 'robot cell' });
  const mode = (await reader.call('GET', 'mode')).json;
  const refusals = [
    await reader.call('PUT', 'stop', {}),
    await reader.call('PUT', 'mode', { type: 'INVENTORY' }),
  ];
  for (const { status, text } of refusals) {
    t.not(status, 200);
    t.match(text, /robot cell controls the radio, by gRPC; it must give control back first/);
  }
  t.equal(await isReading(), true, 'nothing was stopped');
  t.strictSame((await reader.call('GET', 'mode')).json, mode, 'and no mode taken up');
  t.match((await reader.call('GET', 'status')).json, { radioActivitiy: 'active' });

  await oem.stopInventory({ leaseId });
  const refused = await reader.call('PUT', 'start', {});
  t.not(refused.status, 200, 'it reads no more, and may not');
  t.match(refused.text, /robot cell controls the radio/);
  t.equal(await isReading(), false);

  await oem.releaseControl(leaseId);
  t.equal((await reader.call('PUT', 'start', {})).status, 200);
  t.equal(await isReading(), true);

  await oem.stopInventory();
  t.equal((await reader.call('PUT', 'start', {})).status, 200);
  t.equal(await isReading(), true, 'what somebody else stopped a moment ago is started again');

  await oem.stopInventory();
  await until('the end is known', async () => {
    const { json } = await reader.call('GET', 'status');
    return json.radioActivitiy === 'inactive';
  });
  t.equal((await reader.call('PUT', 'stop', {})).status, 200);
  t.equal(await isReading(), false);
});
