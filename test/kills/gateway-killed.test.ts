/** The whole gateway is killed and stopped while its radio reads 3,000 tags a second. */
import { once } from 'node:events';
import t, { type Test } from 'tap';
import { contentOf, Receivers, type Source, survivesRestarts } from '../delivery/restarts.js';
import { FakeRadio, read } from '../gateway/fake-radio.js';
import { GatewayProcess } from '../gateway/gateway-process.js';
import { radioTarget, temporaryFolder, until } from '../gateway/reader.js';

const EVERY_MS = 10;
const READS = 30;

t.test('every number arrives or is told to be lost, and stands for one read', async (t) => {
  const receivers = await Receivers.start(t, 'wss');
  await survivesRestarts(t, await restartedGateway(t, receivers), receivers, 10);
});

async function restartedGateway(t: Test, receivers: Receivers): Promise<Source> {
  const stateDir = temporaryFolder(t);
  const radio = new FakeRadio();
  await radio.listen(radioTarget(stateDir));
  let count = 0;
  const next = () => read(contentOf(0, count++));
  const flow = setInterval(() => radio.send(...Array.from({ length: READS }, next)), EVERY_MS);
  let gateway: GatewayProcess | undefined;
  t.teardown(() => {
    clearInterval(flow);
    gateway?.child.kill('SIGKILL');
    radio.kill();
  });
  return {
    async begin(run) {
      gateway = new GatewayProcess(t, stateDir, '--rest-port', String(receivers.wsPort));
      await gateway.ready(1);
      if (run > 0) return until('it goes on reading', () => radio.subscribers > 0);
      const data = { event: { connections: receivers.connections } };
      const config = { 'READER-GATEWAY': { endpointConfig: { data } } };
      const { status, text } = await gateway.call('PUT', 'config', config);
      t.equal(status, 200, text);
      await gateway.call('PUT', 'start');
    },
    async end(signal) {
      const { child } = gateway as GatewayProcess;
      const gone = once(child, 'exit');
      child.kill(signal);
      await gone;
    },
    async last() {
      clearInterval(flow);
      radio.send(next());
    },
  };
}
