/**
 * The gateway without a radio: events that are ready come from this process, as many as its parent
 * says, and go the way of all events from there. argv: STATE-DIR.
 */
import { setImmediate as immediate } from 'node:timers/promises';
import { ensureLogin } from '../../src/reader-gateway/auth/login-store.js';
import { Gateway } from '../../src/reader-gateway/gateway.js';
import { createLogger } from '../../src/shared/log.js';
import { splitEvents } from './sample-events.js';

/** As many as a message of the radio service brings in a flood. */
const BATCH = 512;
/** A flood is held back here, so that it is the sending that is measured. */
const MOST_WAITING = 5000;

const [stateDir] = process.argv.slice(2) as [string];
await ensureLogin(stateDir, process.env.SINGULATE_PASSWORD);
const gateway = await Gateway.start({
  stateDir,
  restHost: '127.0.0.1',
  restPort: 0,
  radio: `unix:${stateDir}/no-radio.sock`,
  bootId: 'bench',
  autostart: false,
  log: createLogger('bench', { level: 'error', fd: 2 }),
  onEndpoints: (endpoints) => process.send?.({ type: 'endpoints', endpoints }),
});
const events = splitEvents();

/** Of an endpoint what waits for it; without one, what the stream has not had yet. */
let sentBefore = 0;
function behind(offered: number): number {
  const { open, sent } = gateway.streams.counters;
  return open > 0 ? offered + sentBefore - sent : gateway.waitingEvents;
}

process.on('message', async (count: number) => {
  sentBefore = gateway.streams.counters.sent;
  for (let done = 0; done < count; ) {
    while (behind(done) > MOST_WAITING) await immediate();
    const end = Math.min(count, done + BATCH);
    for (; done < end; done++) gateway.offer(events[done % events.length] as (typeof events)[0]);
    // The sockets get their turn, as between two messages of the radio service.
    await immediate();
  }
});
process.on('SIGTERM', async () => {
  await gateway.stop();
  process.exit(0);
});
process.on('disconnect', () => process.exit(0));
process.send?.({ type: 'ready', restUrl: gateway.restUrl });
