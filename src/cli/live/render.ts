/** The live view as lines of text: a pure function of the model and the size of the terminal. */
import type { EndpointRow, LiveModel, ServiceRow, TagRow } from './model.js';

export interface Canvas {
  columns: number;
  rows: number;
  colour: boolean;
}

export type Style = 'plain' | 'title' | 'dim' | 'good' | 'bad';

export interface Line {
  text: string;
  style: Style;
}

const SGR: Record<Style, string> = { plain: '', title: '1', dim: '2', good: '32', bad: '33' };
const MAX_NOTICES = 3;
const MAX_ENDPOINTS = 4;

/** At most `rows` lines of at most `columns` characters, without line ends. */
export function renderLive(model: LiveModel, canvas: Canvas): string[] {
  const head = [stateLine(model), figuresLine(model), servicesLine(model.services)];
  const endpoints = model.endpoints.slice(0, MAX_ENDPOINTS).map(endpointLine);
  const notices = model.notices.slice(-MAX_NOTICES).map((text) => line(text, 'bad'));
  const fixed = head.length + endpoints.length + notices.length;
  const tags = tagLines(model, canvas.rows - fixed);
  return [...head, ...endpoints, ...tags, ...notices]
    .slice(0, Math.max(0, canvas.rows))
    .map((row) => paint(row, canvas));
}

export function line(text: string, style: Style = 'plain'): Line {
  return { text, style };
}

/** Names and log lines come from elsewhere: whatever could move the cursor is left out. */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is to be removed
  return text.replace(/\x1b\[[0-9;?]*[A-Za-z]/g, '').replace(/[\x00-\x1f\x7f-\x9f]/g, ' ');
}

export function paint({ text, style }: Line, { columns, colour }: Canvas): string {
  const clean = [...printable(text)];
  const cut = clean.length > columns ? [...clean.slice(0, columns - 1), '…'] : clean;
  const code = SGR[style];
  return colour && code !== '' ? `\x1b[${code}m${cut.join('')}\x1b[0m` : cut.join('');
}

function stateLine({ radio, source, nowMs, startedMs }: LiveModel): Line {
  const state = radio?.state ?? 'connecting';
  const why = state === 'idle' && radio?.endReason ? ` (${radio.endReason})` : '';
  const text = `radio ${state}${why} · ${source} · up ${duration(nowMs - startedMs)}`;
  return line(text, state === 'reading' ? 'good' : 'title');
}

function figuresLine({ radio }: LiveModel): Line {
  if (radio === undefined) return line('waiting for the radio ...', 'dim');
  const { readsPerSecond, uniqueTags, reads, reported, filtered, dropped } = radio;
  return line(
    `${readsPerSecond} reads/s · ${uniqueTags} unique tags · ${reads} reads: ` +
      `${reported} reported, ${filtered} filtered, ${dropped} dropped`,
    dropped > 0 ? 'bad' : 'plain',
  );
}

function servicesLine(services: readonly ServiceRow[]): Line {
  const restarts = (n: number) => (n === 0 ? '' : `, ${n} restart${n === 1 ? '' : 's'}`);
  const text = services.map(({ name, state, restarts: n }) => `${name} ${state}${restarts(n)}`);
  const well = services.every(({ state }) => state === 'ready');
  return line(`services: ${text.join(' · ')}`, well ? 'plain' : 'bad');
}

function endpointLine(endpoint: EndpointRow): Line {
  const { interface: of, name, type, state, error, sent, retained, dropped } = endpoint;
  const counts = `${sent} sent, ${retained} retained, ${dropped} dropped`;
  const text = `endpoint ${of} ${name} (${type}): ${state}${error ? `: ${error}` : ''} · ${counts}`;
  return line(text, dropped > 0 || error ? 'bad' : 'plain');
}

/** The newest of each antenna; the antennas share the rows there are. */
function tagLines({ tags, nowMs }: LiveModel, rows: number): Line[] {
  const antennas = [...new Set(tags.map(({ antenna }) => antenna))].sort((a, b) => a - b);
  const forTags = rows - 1;
  if (forTags < 1 || antennas.length === 0) return [];
  const share = Math.max(1, Math.floor(forTags / antennas.length));
  const shown = antennas.flatMap((antenna) =>
    tags.filter((tag) => tag.antenna === antenna).slice(0, share),
  );
  const width = Math.max(24, ...shown.map(({ epc }) => epc.length));
  const heading = `ant  ${'EPC'.padEnd(width)}    RSSI dBm    reads      age`;
  return [
    line(heading, 'dim'),
    ...shown.slice(0, forTags).map((tag) => line(tagLine(tag, width, nowMs))),
  ];
}

function tagLine({ epc, antenna, rssiDbm, reads, lastSeenMs }: TagRow, width: number, now: number) {
  const age = `${Math.max(0, (now - lastSeenMs) / 1000).toFixed(1)} s`;
  return [
    String(antenna).padStart(3),
    `  ${epc.padEnd(width)}`,
    rssiDbm.toFixed(1).padStart(12),
    String(reads).padStart(9),
    age.padStart(9),
  ].join('');
}

function duration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const two = (n: number) => String(n).padStart(2, '0');
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}
