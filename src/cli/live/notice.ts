/** Picks the log lines of services that a user at a terminal must see. */
const JSON_LEVELS = new Set(['warn', 'error', 'fatal']);
const PRETTY = /^\[[^\]]*\] (WARN|ERROR|FATAL)\b:? *(.*)$/;

/** @returns the text to show, or undefined for a line that is no warning. */
export function noticeOf(line: string): string | undefined {
  if (line.startsWith('{')) {
    try {
      const { level, component, msg, err } = JSON.parse(line);
      if (!JSON_LEVELS.has(level)) return undefined;
      const reason = err?.message ? `: ${err.message}` : '';
      return `${level} ${component ?? ''}: ${msg ?? ''}${reason}`;
    } catch {
      return undefined;
    }
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours of the pretty form
  const found = PRETTY.exec(line.replace(/\x1b\[[0-9;]*m/g, ''));
  return found ? `${(found[1] as string).toLowerCase()} ${found[2]}` : undefined;
}
