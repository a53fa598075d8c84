/** More commands than can wait: each of them is answered. */
import t from 'tap';
import { Listener, TestBroker, TestReader, until } from './reader.js';

const MANY = 3000;
const TOO_MANY = 11;

t.test('each of many commands at once is answered: done, or refused with a code', async (t) => {
  const broker = new TestBroker();
  await broker.start();
  const listener = new Listener(broker.url, 'singulate/m-res');
  await until('the listener is there', () => listener.subscribed);
  const reader = await TestReader.start(t, { broker });
  t.teardown(async () => {
    await reader.gateway.stop();
    listener.client.end(true);
    await broker.stop();
  });
  await until('the command connection', () =>
    reader.endpoints.some((one) => one.interface === 'management' && one.state === 'connected'),
  );
  for (let id = 0; id < MANY; id++) {
    const message = { command: 'get_config', command_id: id, payload: {} };
    listener.client.publish('singulate/m-req', JSON.stringify(message));
  }
  await until('as many answers', () => listener.messages.length === MANY, 60_000);
  const answers = listener.messages.map(({ json }) => json);
  t.equal(new Set(answers.map((answer) => answer.command_id)).size, MANY, 'one for each');
  const refused = answers.filter(({ response }) => response !== 'success');
  t.ok(refused.length > 0 && refused.length < MANY, `${refused.length} refused`);
  t.same([...new Set(refused.map(({ payload }) => payload.code))], [TOO_MANY]);
});
