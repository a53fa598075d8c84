/** The MQTT broker that comes with the reader: for trying out, on the loopback address alone. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Aedes as AedesBroker } from 'aedes';
import { configError } from '../shared/errors.js';
import { type BrokerLogin, brokerAccess, type Rules } from './broker-access.js';
import { BrokerPlaces } from './broker-places.js';
import { listenFault } from './ports.js';

const HOST = '127.0.0.1';
/** A client that takes nothing for this long is cut off: until then everybody waits for it. */
const DRAIN_TIMEOUT_MS = 5000;
const CLOSE_WITHIN_MS = 1000;
const MAX_RETAINED_TOPICS = 1000;
const MAX_RETAINED_BYTES = 65_536;

export interface Broker {
  /** Loaded while the services start; clients that come before wait for it. */
  aedes: Promise<AedesBroker>;
  close(): Promise<void>;
}

/** Throws CONFIG if the port cannot be had. */
export async function startBroker(port: number, login: BrokerLogin): Promise<Broker> {
  // Without noDelay every acknowledged message would wait 40 ms for Nagle's algorithm.
  const server = createServer({ noDelay: true });
  let broker: Promise<AedesBroker> | undefined;
  const places = new BrokerPlaces(server, async (socket) => {
    (await broker)?.handle(socket);
  });
  try {
    server.listen(port, HOST);
    await once(server, 'listening');
  } catch (error) {
    throw configError(listenFault('--mqtt-port', port, error));
  }
  broker = createAedes(brokerAccess(login, places));
  const aedes = broker;
  return { aedes, close: async () => close(server, await aedes) };
}

async function createAedes(access: Rules): Promise<AedesBroker> {
  const [{ Aedes }, { writeNumbersAsTheyCome }] = await Promise.all([
    import('aedes'),
    import('../shared/mqtt-packets.js'),
  ]);
  writeNumbersAsTheyCome();
  const retained = new Set<string>();
  const aedes = await Aedes.createBroker({
    ...access,
    drainTimeout: DRAIN_TIMEOUT_MS,
    // Aedes keeps messages for the persistent sessions of absent clients without any limit.
    // Here every session ends with its connection, so there is nothing to keep.
    preConnect: (_client, packet, callback) => {
      packet.clean = true;
      // A second client of the same id ends the first: one without a login must not end another.
      if (packet.username === undefined) packet.clientId = `stranger-${randomUUID()}`;
      callback(null, true);
    },
    authorizePublish: (client, packet, callback) => {
      access.authorizePublish(client, packet, (error) => {
        // Retained messages, the other thing that lasts, are kept within bounds: what is too
        // much is passed on to those who listen now, and not kept.
        if (!error && packet.retain && !mayRetain(retained, packet.topic, packet.payload.length)) {
          packet.retain = false;
        }
        callback(error);
      });
    },
  });
  // An 'error' nobody listens to would end the whole reader.
  (aedes as NodeJS.EventEmitter).on('error', () => {});
  return aedes;
}

function mayRetain(topics: Set<string>, topic: string, bytes: number): boolean {
  if (bytes === 0) {
    topics.delete(topic);
    return true;
  }
  if (bytes > MAX_RETAINED_BYTES) return false;
  if (!topics.has(topic) && topics.size >= MAX_RETAINED_TOPICS) return false;
  topics.add(topic);
  return true;
}

async function close(server: Server, aedes: AedesBroker): Promise<void> {
  server.close();
  // It waits for its clients, and in vain for one that goes away in that moment.
  const closed = new Promise<void>((resolve) => aedes.close(() => resolve()));
  await Promise.race([closed, sleep(CLOSE_WITHIN_MS)]);
}
