/** The pages of the documents, in a real browser. */
import t, { type Test } from 'tap';
import { OPERATIONS } from '../../src/reader-gateway/operations/table.js';
import { PASSWORD, TestBroker, TestReader } from '../gateway/reader.js';
import { Page } from './chromium.js';

t.test('one reader', async (t) => {
  const broker = new TestBroker();
  await broker.start();
  const reader = await TestReader.start(t, { broker });
  t.teardown(async () => {
    await reader.gateway.stop();
    await broker.stop();
  });
  const url = reader.gateway.restUrl;
  const page = await Page.open(t);
  const isClean = (t: Test) => {
    const elsewhere = page.requests.filter(
      (address) => !address.startsWith(`${url}/`) && !/^(data|about|blob):/.test(address),
    );
    t.strictSame(elsewhere, [], 'nothing is fetched from elsewhere');
    t.strictSame(page.complaints, [], 'the policy had nothing to refuse');
  };

  t.test('the operations are listed, and one opens with its schema', async (t) => {
    await page.go(`${url}/cloud/docs`);
    await page.shows('operations', `document.querySelectorAll('.opblock').length > 0`);
    const text: string = await page.read('document.body.textContent');
    for (const { path } of OPERATIONS) {
      t.ok(text.replaceAll('\u200b', '').includes(path), path);
    }
    await page.read(`document.querySelector('#operations-control-setMode button').click()`);
    await page.shows(
      'an example of a mode',
      `document.querySelector('#operations-control-setMode .opblock-body')
        ?.textContent.includes('inventorySettings')`,
    );
    isClean(t);
  });

  t.test('the events are readable, with topics for who logs in', async (t) => {
    await page.go(`${url}/cloud/docs/events`);
    await page.shows('commands', `document.getElementById('setMode')`);
    const text: string = await page.read('document.body.textContent');
    for (const { mqttCommand } of OPERATIONS) t.ok(text.includes(mqttCommand), mqttCommand);
    t.match(text, '(no topic)');
    t.notMatch(text, 'singulate/c-req');
    await page.read(`
      document.getElementById('password').value = ${JSON.stringify(PASSWORD)};
      document.querySelector('#login button').click();
    `);
    await page.shows('the topics', `document.body.textContent.includes('singulate/c-req')`);
    isClean(t);
  });

  t.test('a wrong password is told', async (t) => {
    await page.read(`
      document.getElementById('password').value = 'wrong';
      document.querySelector('#login button').click();
    `);
    await page.shows(
      'the problem',
      `document.getElementById('problem').value.includes('wrong user name or password')`,
    );
    t.pass('told');
  });
});
