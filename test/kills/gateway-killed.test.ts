/** The whole gateway is killed and stopped while its radio reads 3,000 tags a second. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import t, { type Test } from 'tap';
import { contentOf, Receivers, type Source, survivesRestarts } from '../delivery/restarts.js';
import { FakeRadio, read } from '../gateway/fake-radio.js';
import { GatewayProcess } from '../gateway/gateway-process.js';
import { radioTarget, temporaryFolder, until } from '../gateway/reader.js';

const EVERY_MS = 10;
const READS = 30;

/** What the file of event numbers has, and other files outgrow: as if their disk were full. */
const FULL_BYTES = 32 * 1024;

const VARIANTS = {
  'what waits in memory': { spillToDisk: false, isFull: false },
  'spillToDisk: what waits on disk': { spillToDisk: true, isFull: false },
  'spillToDisk on a full disk': { spillToDisk: true, isFull: true },
};

for (const [name, { spillToDisk, isFull }] of Object.entries(VARIANTS)) {
  t.test(`${name}: every number arrives or is reported, and stands for one read`, async (t) => {
    const receivers = await Receivers.start(t, 'wss', { spillToDisk });
    await survivesRestarts(t, await restartedGateway(t, receivers, isFull), receivers, 10);
  });
}

async function restartedGateway(t: Test, receivers: Receivers, isFull: boolean): Promise<Source> {
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
      gateway = await GatewayProcess.start(t, stateDir, '--rest-port', String(receivers.wsPort));
      await gateway.ready(1);
      if (run > 0) {
        if (isFull) fillDisk(gateway);
        return until('it goes on reading', () => radio.subscribers > 0);
      }
      const data = { event: { connections: receivers.connections } };
      const config = { 'READER-GATEWAY': { endpointConfig: { data } } };
      const { status, text } = await gateway.call('PUT', 'config', config);
      t.equal(status, 200, text);
      await gateway.call('PUT', 'start');
      if (isFull) fillDisk(gateway);
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

function fillDisk({ child }: GatewayProcess): void {
  execFileSync('prlimit', ['--pid', String(child.pid), `--fsize=${FULL_BYTES}:`]);
}
