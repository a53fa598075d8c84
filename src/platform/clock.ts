/** Times as texts, in the time zone of this machine. */

const two = (value: number) => String(value).padStart(2, '0');
const three = (value: number) => String(value).padStart(3, '0');

function offset(date: Date, separator: string): string {
  const minutes = -date.getTimezoneOffset();
  const abs = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(abs / 60))}${separator}${two(abs % 60)}`;
}

function dateAndTime(date: Date): string {
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

/** The second of the last event: most have one with those before them. */
let second = { number: Number.NaN, text: '', offset: '' };

/**
 * `2024-05-06T07:08:09.123+0200`: the form of all events.
 * @param ms Milliseconds since the Unix epoch, of the years that a Date has (±275,760); what is
 *   below a millisecond, as times of the radio have it, is cut off.
 */
export function formatEventTime(ms: number): string {
  const whole = Math.floor(ms);
  const number = Math.floor(whole / 1000);
  if (number !== second.number) {
    const date = new Date(whole);
    second = { number, text: `${dateAndTime(date)}.`, offset: offset(date, '') };
  }
  return second.text + three(whole - 1000 * number) + second.offset;
}

/** `2024-02-03T04:05:06+00:00`: the form of systemTime in the statistics. */
export function formatSystemTime(ms: number): string {
  const date = new Date(ms);
  return `${dateAndTime(date)}${offset(date, ':')}`;
}

/** `3 days 04:05:06`. */
export function formatUptime(seconds: number): string {
  const whole = Math.floor(seconds);
  const days = Math.floor(whole / 86400);
  const time = [Math.floor(whole / 3600) % 24, Math.floor(whole / 60) % 60, whole % 60];
  return `${days} days ${time.map(two).join(':')}`;
}

/** `75:04:05`: hours, minutes and seconds. */
export function formatHours(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  return [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60].map(two).join(':');
}

/** From now on the texts above, and all else that has local times, are of this IANA zone. */
export function useTimeZone(zone: string): void {
  // The runtime watches the variable; where the machine's own setting is changed, it would not see.
  process.env.TZ = zone;
  second.number = Number.NaN;
}
