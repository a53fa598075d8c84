/** Requests without a token, as many as a client can send: the reader has time for all others. */
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import type { GatewayProcess } from '../gateway/gateway-process.js';
import { until } from '../gateway/reader.js';
import { RawClient } from '../security/raw.js';
import { Flood } from './flood.js';
import { costOf, startGateway, told } from './running-gateway.js';

const PIPELINED = 3000;
const DOCUMENTS = ['/cloud/openapi.json', '/cloud/asyncapi.json'];
const MOST_CPU_MS = 2000;
const MOST_MEMORY = 20_000_000;
/** 2 to 10 ms on a quiet machine of two processors. */
const MOST_MEDIAN_MS = 100;
/** The flood goes on for so long, on as many connections as one address may have but a few. */
const FLOOD_MS = 10_000;
const CONNECTIONS = 40;
/** Of one processor: a tenth, what may be used at once, and what is only estimated. */
const MOST_SHARE = 0.3;

const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost:x\r\n\r\n`;

t.test('one gateway', async (t) => {
  const gateway = await startGateway(t);
  // What the documents cost is a thing of the first request.
  for (const path of DOCUMENTS) await answered(gateway, path);
  const quiet = await costOf(gateway, () => sleep(FLOOD_MS / 2));
  t.comment(`nobody else: ${told(quiet)}`);

  for (const path of DOCUMENTS) {
    t.test(`${PIPELINED} requests for ${path} in one go cost next to nothing`, async (t) => {
      const cost = await costOf(gateway, async () => {
        const client = await RawClient.openAt(t, gateway.restUrl);
        client.send(request(path).repeat(PIPELINED));
        await until('the connection is closed', () => client.closed, 60_000);
        // What goes on without the client would go on now.
        await sleep(2000);
      });
      t.comment(told(cost));
      t.ok(cost.cpuMs < MOST_CPU_MS, told(cost));
      t.ok(cost.memoryBytes < MOST_MEMORY, told(cost));
      t.ok(cost.medianMs < MOST_MEDIAN_MS, told(cost));
    });
  }

  for (const path of [...DOCUMENTS, '/cloud/docs/swagger-ui.js', '/cloud/status', '/nothing']) {
    t.test(`a flood of requests for ${path} gets a small share of the processor`, async (t) => {
      const before = await usedMs(gateway);
      const flood = new Flood(new URL(path, gateway.restUrl), CONNECTIONS);
      let loginMs = 0;
      const cost = await costOf(gateway, async () => {
        await sleep(FLOOD_MS / 2);
        const began = performance.now();
        t.ok(await gateway.token(), 'a login from the same address is answered');
        loginMs = performance.now() - began;
        await sleep(FLOOD_MS / 2);
        await flood.stop();
      });
      const used = (await usedMs(gateway)) - before;
      const ofOthers = cost.requests * (quiet.cpuMs / quiet.requests);
      const share = (cost.cpuMs - ofOthers) / cost.wallMs;
      t.comment(`${flood.answers} answers (${[...flood.statuses]}), ${told(cost)}`);
      t.comment(
        `${share.toFixed(2)} of a processor; counted ${Math.round(used)} ms; a login ${Math.round(loginMs)} ms`,
      );
      t.ok(share < MOST_SHARE, `${share} of a processor`);
      t.ok(flood.answers > CONNECTIONS, 'all have their turn');
      t.ok(cost.medianMs < MOST_MEDIAN_MS, told(cost));
    });
  }
});

async function answered(gateway: GatewayProcess, path: string): Promise<void> {
  await gateway.call('GET', path.replace('/cloud/', ''));
}

/** As the gateway counts it. */
async function usedMs(gateway: GatewayProcess): Promise<number> {
  const { text } = await gateway.call('GET', 'metrics');
  const found = /^singulate_rest_without_token_seconds_total ([\d.e-]+)$/m.exec(text);
  return 1000 * Number(found?.[1] ?? Number.NaN);
}
