/** What a schema cannot say about a request for an OS update. */
import { invalid } from '../../shared/errors.js';
import { OS_UPDATE_LIMITS, OsUpdate } from '../api/os-update.js';
import { findRequestViolations } from '../api/validate.js';
import {
  headerProblems,
  loginProblems,
  urlProblems,
  waitProblems,
} from '../fetch/fetch-request.js';
import { serverTrust } from '../fetch/server-trust.js';
import type { NamedFiles } from '../tls/named-files.js';

/** @throws INVALID naming all that is wrong. */
export async function checkOsUpdate(value: unknown, files: NamedFiles): Promise<OsUpdate> {
  const problems = findRequestViolations(OsUpdate, value);
  if (problems.length > 0) throw invalid(problems);
  const request = value as OsUpdate;
  problems.push(
    ...urlProblems(request.url),
    ...headerProblems(request),
    ...waitProblems(request, OS_UPDATE_LIMITS),
    ...loginProblems(request),
  );
  if (problems.length > 0) throw invalid(problems);
  await serverTrust(request, files);
  return request;
}
