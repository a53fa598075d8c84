/** Random bytes and random commands over MQTT: each is answered, and nothing throws. */
// alone: what the process could reach outside is cut off for good.
import fc from 'fast-check';
import t from 'tap';
import { Commands } from '../../src/reader-gateway/mqtt/commands.js';
import { OPERATIONS } from '../../src/reader-gateway/operations/table.js';
import { createLogger } from '../../src/shared/log.js';
import { bytes, wild } from './bodies.js';
import { jsonText } from './json-text.js';
import { SEED, startWorld } from './run-operations.js';

const RUNS = Number(process.env.PROPERTY_RUNS ?? 10_000);

const command = fc
  .record(
    {
      command: fc.oneof(fc.constantFrom(...OPERATIONS.map((one) => one.mqttCommand)), wild),
      command_id: wild,
      payload: wild,
      stray: wild,
    },
    { requiredKeys: [] },
  )
  .map((message) => Buffer.from(jsonText(message)));

t.test('whatever comes is answered, and a failure changes nothing', async (t) => {
  const { reader, state, attempts } = await startWorld(t);
  const log = createLogger('reader_gateway', { fd: 2, level: 'silent' });
  const commands = new Commands(OPERATIONS, reader.gateway.context, log);
  let before = state.read();
  const property = fc.asyncProperty(
    fc.oneof({ weight: 3, arbitrary: command }, { weight: 1, arbitrary: bytes }),
    async (message) => {
      const given = (await commands.run(message))?.message;
      // Nothing here looks like what a reader sends.
      if (given === undefined) throw new Error('no answer');
      const answer = JSON.parse(given);
      const after = state.read();
      if (answer.response === 'success') {
        before = after;
        return;
      }
      if (answer.response !== 'failure') throw new Error('neither success nor failure');
      const { code, message: text } = answer.payload;
      if (code === 9) throw new Error(text);
      if (code === 1 && !/^(the command is not JSON|.*?): |is not an object$/s.test(text)) {
        throw new Error(`no field in: ${text}`);
      }
      if (after !== before) throw new Error(`refused (${text}), and yet something changed`);
    },
  );
  await fc.assert(property, { numRuns: RUNS, seed: SEED });
  t.pass(`${RUNS} commands`);
  t.same(attempts, [], 'nothing outside was touched');
});
