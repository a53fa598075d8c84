/** Topic names and topic filters (MQTT 3.1.1 and 5, section 4.7). Pure. */

/** A UTF-8 string of MQTT has its length in two bytes. */
export const MAX_STRING_BYTES = 65_535;

const SHARE = '$share/';

/** @returns What is wrong with a text as a string of MQTT; undefined if nothing is. */
export function stringProblem(text: string): string | undefined {
  if (text.includes('\0')) return 'has a character NUL, which MQTT forbids';
  // Half of a surrogate pair cannot be written as UTF-8.
  if (/\p{Surrogate}/u.test(text)) return 'has half of a surrogate pair, which is not UTF-8';
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_STRING_BYTES) {
    return `has ${bytes} bytes, MQTT allows at most ${MAX_STRING_BYTES}`;
  }
  return undefined;
}

/** @returns Why nothing can be published under a topic; undefined if it can. */
export function topicNameProblem(topic: string): string | undefined {
  if (topic === '') return 'must not be empty';
  if (/[#+]/.test(topic)) return 'has a wildcard (# or +), and is a topic to publish under';
  return stringProblem(topic);
}

/** @returns Why a topic filter cannot be subscribed to; undefined if it can. */
export function topicFilterProblem(filter: string): string | undefined {
  if (filter === '') return 'must not be empty';
  const shared = sharedFilter(filter);
  if (filter.startsWith(SHARE)) {
    const group = filter.slice(SHARE.length).split('/', 1)[0] ?? '';
    if (group === '' || /[#+]/.test(group) || shared === undefined || shared === '') {
      return 'is not like "$share/GROUP/FILTER", with a GROUP without wildcards';
    }
  }
  const levels = (shared ?? filter).split('/');
  if (levels.some((level) => level.length > 1 && /[#+]/.test(level))) {
    return 'has a wildcard (# or +) that is not a whole level';
  }
  if (levels.slice(0, -1).includes('#')) return 'has a # that is not the last level';
  return stringProblem(filter);
}

/** @returns Whether a message under `topic` comes to who subscribed to `filter`. */
export function covers(filter: string, topic: string): boolean {
  const levels = (sharedFilter(filter) ?? filter).split('/');
  const names = topic.split('/');
  const [first = ''] = levels;
  // Topics of the broker itself: no wildcard at the start covers them.
  if (topic.startsWith('$') && /^[#+]$/.test(first)) return false;
  for (const [index, level] of levels.entries()) {
    // "a/#" covers "a" too.
    if (level === '#') return true;
    if (index >= names.length) return false;
    if (level !== '+' && level !== names[index]) return false;
  }
  return levels.length === names.length;
}

/** FILTER of `$share/GROUP/FILTER`; undefined if it is none of these. */
function sharedFilter(filter: string): string | undefined {
  if (!filter.startsWith(SHARE)) return undefined;
  const end = filter.indexOf('/', SHARE.length);
  return end < 0 ? undefined : filter.slice(end + 1);
}
