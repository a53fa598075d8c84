/** The sending side of a floor, in a process of its own. argv: a FloorTask as JSON. */
import { eventsPerMessage, messageObject, readyMessages } from '../sample-events.js';
import type { Floor, FloorTask, MessageSource } from './floor.js';
import { httpPostFloor, mqttFloor } from './pushing.js';
import { ndjsonFloor, tcpFloor, webSocketFloor } from './serving.js';

const task: FloorTask = JSON.parse(process.argv[2] as string);
const perMessage = eventsPerMessage(task.maxBytes);
// Lines need their ends; a TCP client tells messages apart in the same way.
const end = task.transport === 'ndjson' || task.transport === 'tcpip' ? '\n' : '';
const texts = readyMessages(task.maxBytes).map((text) => text + end);
const message: MessageSource = task.json
  ? (index) => JSON.stringify(messageObject(index, task.maxBytes)) + end
  : (index) => texts[index % texts.length] as string;

function openFloor({ transport, port = 0, tlsDir = '' }: FloorTask): Promise<Floor> {
  switch (transport) {
    case 'mqtt_qos0':
      return mqttFloor(port, 0);
    case 'mqtt_qos1':
      return mqttFloor(port, 1);
    case 'mqtt_qos2':
      return mqttFloor(port, 2);
    case 'http_post':
      return httpPostFloor(port);
    case 'tcpip':
      return tcpFloor();
    case 'websocket':
      return webSocketFloor(tlsDir);
    case 'ndjson':
      return ndjsonFloor(tlsDir);
  }
}

const floor = await openFloor(task);
process.on('message', async (events: number) => {
  await floor.send(message, Math.ceil(events / perMessage));
  process.send?.('sent');
});
process.on('disconnect', () => process.exit(0));
process.send?.({ port: floor.port, eventsPerMessage: perMessage });
