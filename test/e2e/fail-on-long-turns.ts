/** A test whose services stood fails. */
import tap, { type Test } from 'tap';

/**
 * To be called when a test is being torn down: what it has left goes on being taken down, and the
 * file of tests fails.
 */
export function failOnLongTurns(t: Test, stood: readonly string[]): void {
  if (stood.length === 0) return;
  // Only the file itself has nothing above it that could fail.
  if (t === tap) throw new Error(stood.join('\n'));
  for (const text of stood) tap.fail(text);
}
