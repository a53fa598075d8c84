/** What people do meanwhile: modes, configurations, stops, reboots. */
import { setTimeout as sleep } from 'node:timers/promises';
import { seconds } from './process-faults.js';
import { READING } from './reader.js';
import type { Fault, Scene } from './scene.js';

const REBOOTS_MS = 60_000;
const STATE = 3;

async function reboot({ reader }: Scene): Promise<string> {
  const starts = () => reader.product.lines.filter(({ msg }) => msg === 'REST listens').length;
  const before = starts();
  const answer = await reader.call('PUT', 'reboot', {});
  // One that was just booted says so.
  if (answer.status === 400 && answer.json?.code === STATE) return 'refused: booted a moment ago';
  if (answer.status !== 202) throw new Error(`reboot: ${answer.status} ${answer.text}`);
  await reader.product.until(() => starts() > before, 'it is up after a reboot', REBOOTS_MS);
  return '';
}

export const REQUESTS: readonly Fault[] = [
  {
    name: 'change of the mode',
    weight: 3,
    async run({ reader, random }) {
      const transmitPower = Math.round(random.between(26, 30));
      await reader.must('PUT', 'mode', { ...READING, transmitPower });
      return `${transmitPower} dBm`;
    },
  },
  {
    name: 'change of the configuration',
    weight: 3,
    async run({ reader, random }) {
      reader.reportingInterval = Math.round(random.between(200, 1000));
      reader.keepAlive = Math.round(random.between(30, 90));
      await reader.configure();
      return '';
    },
  },
  {
    name: 'stop and start',
    weight: 3,
    async run({ reader, random }) {
      await reader.must('PUT', 'stop');
      const ms = random.between(200, 3000);
      await sleep(ms);
      await reader.must('PUT', 'start', { doNotPersistState: false });
      return seconds(ms);
    },
  },
  { name: 'reboot', weight: 2, run: reboot },
  {
    name: 'restart of the command',
    weight: 2,
    async run({ reader }) {
      await reader.stop();
      if (reader.lastExitCode !== 0) throw new Error(`it ended with ${reader.lastExitCode}`);
      await reader.begin();
      return seconds(reader.lastStopMs);
    },
  },
];
