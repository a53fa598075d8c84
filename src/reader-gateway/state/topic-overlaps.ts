/**
 * What this reader publishes must not come to it as commands: it would answer its own answers, and
 * take each tag event for a wrong command. Pure.
 */
import type { Violation } from '../../shared/errors.js';
import { type Connection, isMqtt, type MqttOptions } from '../api/connection.js';
import { show } from '../api/validate.js';
import { brokerKey } from '../mqtt/broker-address.js';
import { covers } from '../mqtt/topics.js';
import { ENDPOINT_PATHS, type EndpointPath, pathText } from './endpoint-paths.js';

export interface Overlap {
  publisher: Connection;
  subscriber: Connection;
  problem: Violation;
}

/** A topic or a topic filter of a connection. */
interface Place {
  path: EndpointPath;
  connection: Connection;
  broker: string;
  topic: string;
  field: string;
}

/**
 * @param all The connections of a path, those of the factory included.
 * @param changed The paths that are asked about; an overlap of others is not looked at. A message
 *   names a field of theirs.
 */
export function topicOverlaps(
  all: (path: EndpointPath) => readonly Connection[],
  changed: readonly EndpointPath[] = ENDPOINT_PATHS,
): Overlap[] {
  const places = (topicsOf: (options: MqttOptions) => [field: string, topic: string][]) =>
    ENDPOINT_PATHS.flatMap((path) =>
      all(path).flatMap((connection, index): Place[] => {
        if (!isMqtt(connection)) return [];
        const broker = brokerKey(connection.options);
        return topicsOf(connection.options).map(([name, topic]) => {
          const field = `${pathText(path)}[${index}].options.${name}`;
          return { path, connection, broker, topic, field };
        });
      }),
    );
  const published = places(publishedBy);
  const isChanged = ({ path }: Place) => changed.includes(path);
  return places(subscribedBy)
    .filter(({ path }) => path[1] === 'commandResponse')
    .flatMap((filter) =>
      published
        .filter(({ broker, topic }) => broker === filter.broker && covers(filter.topic, topic))
        .filter((topic) => isChanged(topic) || isChanged(filter))
        .map((topic) => overlap(topic, filter, isChanged(topic))),
    );
}

function overlap(published: Place, subscribed: Place, namesTopic: boolean): Overlap {
  const [topic, filter] = [show(published.topic), show(subscribed.topic)];
  const problem = namesTopic
    ? {
        field: published.field,
        message: `${topic} would come back as a command: ${subscribed.field} of the same broker is ${filter}`,
      }
    : {
        field: subscribed.field,
        message: `${filter} would take as a command what this reader sends: ${published.field} of the same broker is ${topic}`,
      };
  return { publisher: published.connection, subscriber: subscribed.connection, problem };
}

function publishedBy({ publishTopic, additional = {} }: MqttOptions): [string, string][] {
  const { will, birth } = additional;
  return [
    ...publishTopic.map((topic, index): [string, string] => [`publishTopic[${index}]`, topic]),
    ...Object.entries({ will, birth }).flatMap(([name, statement]): [string, string][] =>
      statement === undefined ? [] : [[`additional.${name}.topic`, statement.topic]],
    ),
  ];
}

function subscribedBy({ subscribeTopic = [] }: MqttOptions): [string, string][] {
  return subscribeTopic.map((topic, index) => [`subscribeTopic[${index}]`, topic]);
}
