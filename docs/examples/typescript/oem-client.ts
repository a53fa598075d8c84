// Prints the tags that a Singulate reader sees, and writes an EPC. README.md says how to build it.
//
//   node dist/oem-client.js unix:/path/to/radio.sock
//   node dist/oem-client.js --write 3034257bf7194e4000001a85=e2001122 unix:/path/to/radio.sock
//   node dist/oem-client.js --ca ca.pem --cert client.pem --key client.key reader.local:50051
//
// Tags go to standard output, everything else to standard error. Ctrl-C ends it.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import {
  type ControlHolder,
  counterToNumber,
  describeError,
  followReads,
  holdControl,
  RadioClient,
  RadioState,
  ReportFilter,
  writeEpc,
} from '@singulate/client';

const NAME = 'oem-typescript';

function parseOptions() {
  const text = { type: 'string' } as const;
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { write: text, ca: text, cert: text, key: text },
  });
  const { ca, cert, key, write } = values;
  const files = [ca, cert, key].filter((path) => path !== undefined);
  if (files.length !== 0 && files.length !== 3)
    throw new Error('--ca, --cert and --key go together');
  const [caPem, certPem, keyPem] = files.map((path) => readFileSync(path));
  return {
    target: positionals[0] ?? 'unix:.singulate/radio.sock',
    tls: caPem && certPem && keyPem ? { ca: caPem, cert: certPem, key: keyPem } : undefined,
    write: write === undefined ? undefined : parseWrite(write),
  };
}

function parseWrite(text: string) {
  const [, from, to] = /^((?:[0-9a-f]{2})+)=((?:[0-9a-f]{2})+)$/i.exec(text) ?? [];
  if (!from || !to) throw new Error('--write OLD=NEW: EPCs in hex, whole words of 4 digits');
  return { from: Buffer.from(from, 'hex'), to: Buffer.from(to, 'hex') };
}

/** Starts every antenna with its defaults. @returns the inventory if it is ours. */
async function startIfIdle(radio: RadioClient, leaseId: string): Promise<string | undefined> {
  const { state } = await radio.getStatus();
  if (state === RadioState.RADIO_STATE_READING) return undefined;
  // Each tag once a second and antenna, however often it is read.
  const { Kind, Scope } = ReportFilter;
  const reportFilter = { kind: Kind.INTERVAL, scope: Scope.PER_ANTENNA, periodMs: 1000 };
  const started = await radio.startInventory({ plan: { reportFilter }, owner: NAME, leaseId });
  console.error('control: inventory started');
  return started.inventoryId;
}

function main() {
  let { target, tls, write } = parseOptions();
  const radio = new RadioClient(target, tls);

  let inventoryId: string | undefined;
  const takeControl = () =>
    holdControl(
      radio,
      { owner: NAME },
      {
        async onControl(leaseId) {
          console.error('control: ours');
          inventoryId = (await startIfIdle(radio, leaseId)) ?? inventoryId;
          if (write === undefined) return;
          const { from, to } = write;
          write = undefined; // once: after an error nobody knows what is written
          const [old, now] = [from.toString('hex'), to.toString('hex')];
          await writeEpc(radio, { from, to, leaseId, timeoutMs: 5000 }).then(
            ({ antenna, elapsedMs }) =>
              console.error(`write: ${old} is ${now} now (antenna ${antenna}, ${elapsedMs} ms)`),
            (error) => console.error(`write: ${describeError(error)}`),
          );
        },
        onTrouble: (error) => console.error(`control: ${describeError(error)}`),
        onFinal: (error) => console.error(`control: ${describeError(error)}`),
      },
    );

  let control: ControlHolder | undefined;
  let connected = true; // nothing was lost yet
  let dropped = 0;
  const endReads = followReads(
    radio,
    { clientName: NAME },
    {
      onPlace({ sequence, continued }) {
        if (continued) console.error(`reads: continued at ${sequence}`);
        else if (control) console.error(`reads: the log is new, from ${sequence} on`);
        connected = true;
        dropped = 0;
        // Control comes after the first stream, so that no read is missed.
        control ??= takeControl();
      },
      onBatch(batch) {
        const lost = counterToNumber(batch.dropped) - dropped;
        if (lost > 0) console.error(`reads: ${lost} lost`);
        dropped += lost;
        const first = counterToNumber(batch.firstSequence);
        for (const [index, { epc, antenna, rssiCdbm }] of batch.reads.entries()) {
          const id = Buffer.from(epc ?? []).toString('hex');
          const rssi = ((rssiCdbm ?? 0) / 100).toFixed(1);
          console.log(`${first + index}  ${id}  antenna ${antenna}  ${rssi} dBm`);
        }
      },
      onDisconnected(reason) {
        if (connected) console.error(`reads: ${reason}; trying again`);
        connected = false;
      },
    },
  );

  async function end() {
    endReads();
    try {
      // Leave the reader as we found it.
      const leaseId = control?.leaseId;
      if (leaseId && inventoryId) await radio.stopInventory({ inventoryId, leaseId });
      await control?.release();
      if (leaseId) console.error('control: given back');
    } catch (error) {
      console.error(`control: ${describeError(error)}`);
    }
    radio.close();
  }
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
}

try {
  main();
} catch (error) {
  console.error(describeError(error));
  process.exitCode = 1;
}
