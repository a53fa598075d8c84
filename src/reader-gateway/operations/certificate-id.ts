/** Which certificate a request means: the interface has several fields for its name. */
import { invalid } from '../../shared/errors.js';
import { show } from '../api/validate.js';
import type { CertificateId, CertificateType } from '../tls/certificate-names.js';

/** The first is the one of the path. */
export const NAME_FIELDS = ['certname', 'certificate', 'certificates', 'name'] as const;

type Named = Partial<Record<(typeof NAME_FIELDS)[number], string>> & { type: CertificateType };

/** @throws INVALID if there is no name, or two that differ. */
export function certificateIdOf(request: Named): CertificateId {
  const given = NAME_FIELDS.flatMap((field) => {
    const name = request[field];
    return name === undefined ? [] : [{ field, name }];
  });
  const [first, ...others] = given;
  if (first === undefined) throw invalid([{ field: 'certname', message: 'is required' }]);
  const problems = others
    .filter(({ name }) => name !== first.name)
    .map(({ field, name }) => ({
      field,
      message: `${show(name)} is not the ${first.field} ${show(first.name)}`,
    }));
  if (problems.length > 0) throw invalid(problems);
  return { type: request.type, name: first.name };
}
