/** An MQTT broker in a process of its own: mosquitto if it is installed, else aedes. */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import mqtt, { type MqttClient } from 'mqtt';
import { freePort } from './free-port.js';
import { endsWithUs } from './process-figures.js';

const STARTS_WITHIN_MS = 5000;

/** Nothing may be lost in it, and nothing may wait for Nagle's algorithm. */
const MOSQUITTO_CONF = (port: number) => `listener ${port} 127.0.0.1
allow_anonymous true
set_tcp_nodelay true
max_queued_messages 0
max_queued_bytes 0
persistence false
log_type error
`;

export class Broker {
  private constructor(
    readonly kind: 'mosquitto' | 'aedes',
    readonly port: number,
    readonly process: ChildProcess,
    readonly folder: string,
  ) {}

  static async start(): Promise<Broker> {
    const port = await freePort();
    const folder = mkdtempSync(join(tmpdir(), 'singulate-bench-broker-'));
    const file = join(folder, 'mosquitto.conf');
    writeFileSync(file, MOSQUITTO_CONF(port));
    const mosquitto = spawn('mosquitto', ['-c', file], { stdio: 'ignore' });
    const installed = await once(mosquitto, 'spawn').then(
      () => true,
      () => false,
    );
    if (installed) {
      endsWithUs(mosquitto);
      await listens(port);
      return new Broker('mosquitto', port, mosquitto, folder);
    }
    const script = fileURLToPath(new URL('./broker-child.js', import.meta.url));
    const aedes = fork(script, [String(port)]);
    await once(aedes, 'message');
    return new Broker('aedes', port, aedes, folder);
  }

  /** Takes everything that is published under the topic of the bench. */
  async subscribe(take: (payload: Buffer) => void): Promise<MqttClient> {
    const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${this.port}`);
    client.on('message', (_topic, payload) => take(payload));
    await client.subscribeAsync('bench');
    return client;
  }

  async stop(): Promise<void> {
    this.process.kill('SIGTERM');
    await once(this.process, 'exit');
    rmSync(this.folder, { recursive: true, force: true });
  }
}

async function listens(port: number): Promise<void> {
  const end = Date.now() + STARTS_WITHIN_MS;
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    try {
      await once(socket, 'connect');
      socket.destroy();
      return;
    } catch (error) {
      if (Date.now() > end) throw error;
      await sleep(20);
    }
  }
}
