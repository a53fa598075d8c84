/** Bare mqtt.js and bare undici. */
import mqtt from 'mqtt';
import { Pool } from 'undici';
import { type Floor, inFlight } from './floor.js';

/** As many as the reader has on the way: by default brokers take no more than 20 with QoS 2. */
const MQTT_IN_FLIGHT = { 0: 256, 1: 256, 2: 20 };

export async function mqttFloor(port: number, qos: 0 | 1 | 2): Promise<Floor> {
  const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${port}`);
  return {
    port: 0,
    send: (message, messages) =>
      inFlight(MQTT_IN_FLIGHT[qos], messages, (i, done) => {
        client.publish('bench', message(i), { qos }, done);
      }),
  };
}

export async function httpPostFloor(port: number): Promise<Floor> {
  // One connection and one request at a time: anything else may change the order of events.
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: 1 });
  const headers = { 'content-type': 'application/json' };
  return {
    port: 0,
    send: async (message, messages) => {
      for (let i = 0; i < messages; i++) {
        const body = message(i);
        const answer = await pool.request({ method: 'POST', path: '/', headers, body });
        await answer.body.dump();
      }
    },
  };
}
