/** What `additional.debug` of an mqtt connection asks for: each of its packets is a line of the log. */
import type { MqttClient } from 'mqtt';
import type { Logger } from '../../shared/log.js';

interface Packet {
  cmd: string;
  messageId?: number | undefined;
  topic?: string;
  payload?: string | Buffer | null;
  qos?: number;
  /** Of an answer: MQTT 5, MQTT 3.1.1. */
  reasonCode?: number;
  returnCode?: number;
}

/** Without payloads and logins: they may hold secrets. */
export function logPackets(client: MqttClient, broker: string, log: Logger): void {
  const tell = (direction: 'sent' | 'received', packet: Packet) => {
    const { cmd, messageId, topic, payload, qos } = packet;
    const code = packet.reasonCode ?? packet.returnCode;
    const bytes = payload ? Buffer.byteLength(payload) : undefined;
    log.info({ broker, direction, packet: cmd, messageId, topic, qos, bytes, code }, 'mqtt packet');
  };
  client.on('packetsend', (packet) => tell('sent', packet as Packet));
  client.on('packetreceive', (packet) => tell('received', packet as Packet));
}
