/** Endpoints that break off, refuse, say nothing, or are away. */
import { setTimeout as sleep } from 'node:timers/promises';
import { seconds } from './process-faults.js';
import type { Fault } from './scene.js';
import { type Answering, all, type Cut, type Sinks } from './sinks.js';

const LASTS_MS = [1000, 8000] as const;

function cut(which: 'qos1' | 'qos0', how: Cut): Fault {
  return {
    name: `broker of ${which === 'qos1' ? 'QoS 1' : 'QoS 0'} breaks off by ${how}`,
    weight: 1,
    breaksQos0: true,
    async run({ sinks }) {
      sinks[which].cut(how);
      return '';
    },
  };
}

function away(
  name: string,
  weight: number,
  which: (sinks: Sinks) => ReturnType<typeof all>[number][],
): Fault {
  return {
    name,
    weight,
    breaksQos0: true,
    async run({ sinks, random }) {
      const ms = random.between(...LASTS_MS);
      const how = random.of<Cut>(['FIN', 'RST']);
      const gone = which(sinks);
      for (const sink of gone) sink.close(how);
      await sleep(ms);
      for (const sink of gone) await sink.open();
      return `${how}, ${seconds(ms)}`;
    },
  };
}

function answers(answering: Exclude<Answering, 'ok'>, name: string, weight: number): Fault {
  return {
    name,
    weight,
    async run({ sinks: { http }, random }) {
      const ms = random.between(...LASTS_MS);
      http.answering = answering;
      await sleep(ms);
      http.answering = 'ok';
      // Those that hang would do so for ever.
      if (answering === 'hang') http.cut('FIN');
      return seconds(ms);
    },
  };
}

export const ENDPOINT_FAULTS: readonly Fault[] = [
  cut('qos1', 'FIN'),
  cut('qos1', 'RST'),
  cut('qos0', 'FIN'),
  cut('qos0', 'RST'),
  away('both brokers are away', 2, ({ qos0, qos1 }) => [qos0, qos1]),
  away('the web server is away', 1, ({ http }) => [http]),
  away('all endpoints are away', 3, all),
  answers('503', 'HTTP answers 503', 2),
  answers('hang', 'HTTP hangs', 2),
  answers('drop', 'HTTP connections are dropped', 2),
];
