/** Why a text is no JSON, without showing any of it: there may be a password in it. */
export function jsonProblem(error: unknown): string {
  const { message } = error as Error;
  const position = /at position (\d+)/.exec(message)?.[1];
  if (/^Unexpected end/.test(message)) return 'it ends too early';
  return position === undefined ? 'it cannot be read' : `it goes wrong at position ${position}`;
}
