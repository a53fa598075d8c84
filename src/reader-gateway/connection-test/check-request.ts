/** What may be tested: the same as may be configured. Pure. */
import { invalid, type Violation } from '../../shared/errors.js';
import { type Connection, DataConnection } from '../api/connection.js';
import { assertRequest } from '../api/validate.js';
import { ownProblems } from '../state/connection-rules.js';
import { otherDestination } from '../state/destination.js';
import { restoreSecrets } from '../state/secrets.js';

/**
 * @param configured Those of this reader: a masked secret is the one of the same name.
 * @returns The connection with its secrets.
 * @throws INVALID naming every wrong field.
 */
export function checkRequest(request: unknown, configured: readonly Connection[]): Connection {
  assertRequest(DataConnection, request);
  const connection = request as Connection;
  const restored = restore(connection, configured);
  const problems = [...ownProblems(connection, ''), ...restored.problems];
  if (problems.length > 0) throw invalid(problems);
  return restored.connection;
}

/** A name may be in use once for data and once for each kind of command: the first that fits. */
function restore(connection: Connection, configured: readonly Connection[]) {
  const { name } = connection;
  const sameName = name === undefined ? [] : configured.filter((other) => other.name === name);
  const tries = [...sameName, undefined].map((stored) => {
    const problems: Violation[] = [];
    const refusal = otherDestination(connection, stored);
    return { connection: restoreSecrets(connection, stored, '', { problems, refusal }), problems };
  });
  const [first = { connection, problems: [] }] = tries;
  return tries.find(({ problems }) => problems.length === 0) ?? first;
}
