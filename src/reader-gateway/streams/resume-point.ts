/** Where a client wants its stream to go on. */
import { invalid } from '../../shared/errors.js';

/** Every number up to here is exact. */
const NUMBER = /^\d{1,15}$/;

/**
 * The number of the last event that the client has; undefined = it wants only new ones.
 * @param lastEventId Header of an EventSource that connects again. It wins: the address of
 *   an EventSource stays the one it began with.
 * @throws INVALID naming the field
 */
export function resumePoint(query: URLSearchParams, lastEventId = ''): number | undefined {
  if (lastEventId !== '') return eventNumber('Last-Event-ID', lastEventId);
  const given = query.getAll('after');
  if (given.length > 1) throw invalid([{ field: 'after', message: 'is given more than once' }]);
  return given[0] === undefined ? undefined : eventNumber('after', given[0]);
}

function eventNumber(field: string, text: string): number {
  if (NUMBER.test(text)) return Number(text);
  const message = `${JSON.stringify(text.slice(0, 40))} is not the number of an event: 0, 1, 2, ...`;
  throw invalid([{ field, message }]);
}
