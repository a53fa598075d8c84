/** The sending side of a floor, in a process of its own. argv: a FloorTask as JSON. */
import { eventsPerMessage, joinedMessage, readyMessages } from '../sample-events.js';
import type { Floor, FloorTask, MessageSource } from './floor.js';
import { httpPostFloor, mqttFloor } from './pushing.js';
import { ndjsonFloor, tcpFloor, webSocketFloor } from './serving.js';

const task: FloorTask = JSON.parse(process.argv[2] as string);
const perMessage = eventsPerMessage(task.form);
// A client of plain TCP tells messages apart by their line ends, as one of a stream of lines does.
const isLine = task.form.kind !== 'lines' && ['tcpip', 'ndjson'].includes(task.transport);
const end = isLine ? '\n' : '';
const texts = readyMessages(task.form).map((text) => text + end);
const message: MessageSource = task.joins
  ? (index) => joinedMessage(index, task.form) + end
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
