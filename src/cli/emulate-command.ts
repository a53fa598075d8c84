/** `singulate emulate mercury`: a radio module on a pseudo-terminal, until it is told to end. */
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { DEFAULT_PROFILE, emulatorFaults, openEmulator } from '../radio-control/module/emulator.js';
import { finishFirst } from '../shared/end-with-starter.js';

export interface EmulateRequest {
  profile?: string;
  scenario?: string;
  baudPacing: boolean;
  link?: string;
  json: boolean;
}

const DEFAULT_SCENARIO = 'dock-door';
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** @returns the exit code. @throws CONFIG */
export async function emulate(request: EmulateRequest): Promise<number> {
  const { profile = DEFAULT_PROFILE, scenario = DEFAULT_SCENARIO, baudPacing, json } = request;
  const link = request.link === undefined ? undefined : resolve(request.link);
  const emulator = await openEmulator({ profile, scenario, baudPacing, link });
  finishFirst(async () => emulator.close());
  const say = (facts: object, text: string) =>
    process.stdout.write(json ? `${JSON.stringify(facts)}\n` : text);
  const path = emulator.path();
  say(
    { path, profile, scenario, baudPacing },
    `${path}  ${profile}, scenario ${scenario}${baudPacing ? ', paced to its baud rate' : ''}\n` +
      `Read it with: singulate --radio mercury:${path}\n` +
      `A line typed here is a fault: ${emulatorFaults().join(', ')}\n` +
      'Ctrl-C ends it.\n',
  );
  // Something must keep the process: the emulator does not.
  const keep = setInterval(() => {}, 60_000);
  await new Promise<void>((done) => {
    for (const signal of SIGNALS) process.once(signal, () => done());
    // Nobody reads any more, as in `singulate emulate mercury | head`.
    process.stdout.once('error', () => done());
    // The end of the input is no end of the emulator: it may run in the background.
    const lines = createInterface({ input: process.stdin });
    lines.on('line', (line) => {
      const fault = line.trim();
      if (fault === '') return;
      const injected = emulator.inject(fault);
      say({ fault, injected }, injected ? `${fault}: done\n` : `${refusal(fault, link)}\n`);
    });
  });
  clearInterval(keep);
  const { commands, faults, records, lostRecords } = emulator.counters();
  emulator.close();
  say(
    { commands, faults, records, lostRecords },
    `${commands} commands, ${faults} answered with a fault; ${records} tag records sent, ` +
      `${lostRecords} lost\n`,
  );
  return 0;
}

function refusal(fault: string, link: string | undefined): string {
  const all = emulatorFaults();
  if (!all.includes(fault)) return `${fault}: no such fault; allowed: ${all.join(', ')}`;
  return link === undefined
    ? `${fault}: not without --link, which leads to the next pseudo-terminal`
    : `${fault}: this module cannot have it`;
}
