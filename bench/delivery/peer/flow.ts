/** The flow that does what the gateway does: a read comes in as a line, a numbered event goes out. */
import { MODE } from '../sample-events.js';

/** Runs once for each read, in the order of the lines. */
const FUNCTION = `
const read = msg.payload;
const eventNum = (context.get('eventNum') || 0) + 1;
context.set('eventNum', eventNum);
msg.payload = {
  data: {
    antenna: read.antenna,
    eventNum,
    format: 'epc',
    idHex: read.epc,
    peakRssi: Math.round(read.rssiDbm),
    reads: 1,
  },
  timestamp: new Date(read.timeNs / 1e6).toISOString().replace('Z', '+0000'),
  type: '${MODE.type}',
};
return msg;
`;

/** @param readsPort A server that sends reads, one JSON object a line. */
export function flow(readsPort: number, brokerPort: number): object[] {
  const node = (id: string, type: string, next: string | undefined, settings: object) => ({
    id,
    type,
    z: 'flow',
    wires: next === undefined ? [] : [[next]],
    ...settings,
  });
  return [
    { id: 'flow', type: 'tab', label: 'reads to events' },
    {
      id: 'broker',
      type: 'mqtt-broker',
      broker: '127.0.0.1',
      port: String(brokerPort),
      protocolVersion: '4',
      keepalive: '60',
      cleansession: true,
      autoConnect: true,
      usetls: false,
    },
    node('lines', 'tcp in', 'parse', {
      server: 'client',
      host: '127.0.0.1',
      port: String(readsPort),
      datamode: 'stream',
      datatype: 'utf8',
      newline: '\\n',
      topic: '',
      trim: true,
    }),
    node('parse', 'json', 'format', { property: 'payload', action: 'obj', pretty: false }),
    node('format', 'function', 'publish', { func: FUNCTION, outputs: 1, libs: [] }),
    node('publish', 'mqtt out', undefined, { topic: 'bench', qos: '0', broker: 'broker' }),
  ];
}
