/** Spellings of the operating mode that public clients use, in the spelling of the schema. */

function fixQuery(query: unknown): unknown {
  if (Array.isArray(query)) return query.map(fixQuery);
  if (typeof query !== 'object' || query === null) return query;
  const { tagpopulation, ...rest } = query as Record<string, unknown>;
  if (tagpopulation === undefined || 'tagPopulation' in rest) return query;
  return { ...rest, tagPopulation: tagpopulation };
}

/** Only spellings: values and shapes stay as they were given. */
export function normaliseMode(given: unknown): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  if (!('query' in given)) return given;
  return { ...given, query: fixQuery(given.query) };
}
