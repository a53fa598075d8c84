/** query: the Gen2 Query parameters per antenna. */
import { SelectFilter, Session, Target } from '../../contract/messages.js';
import type { ModeType, OperatingMode, Query } from '../api/mode.js';
import { type Problems, perAntenna } from './problems.js';
import type { RadioFacts } from './radio-facts.js';

export interface QueryPlan {
  session: number;
  target: number;
  tagPopulation: number;
  sel: number;
}

const SESSIONS: Record<string, number> = {
  S0: Session.SESSION_S0,
  S1: Session.SESSION_S1,
  S2: Session.SESSION_S2,
  S3: Session.SESSION_S3,
};

const TARGETS = { A: Target.TARGET_A, B: Target.TARGET_B, AB: Target.TARGET_AB } as const;

const SELS = {
  ALL: SelectFilter.SELECT_FILTER_ALL,
  SL: SelectFilter.SELECT_FILTER_SL,
  NOT_SL: SelectFilter.SELECT_FILTER_NOT_SL,
} as const;

/**
 * The query with all its defaults, in the form the interface prints. DIRECTIONALITY needs many reads
 * of each tag, on beam after beam: a tag that was read stays silent for seconds in S1, not in S0.
 */
export function effectiveQuery(query: Query, type: ModeType): Required<Query> {
  const { session = type === 'DIRECTIONALITY' ? 'S0' : 'S1' } = query;
  return {
    tagPopulation: query.tagPopulation ?? 1,
    sel: query.sel ?? 'ALL',
    session: typeof session === 'number' ? (`S${session}` as 'S0') : session,
    target: query.target ?? 'A',
  };
}

export function compileQueries(
  mode: OperatingMode,
  count: number,
  radio: RadioFacts,
  problems: Problems,
): QueryPlan[] | undefined {
  const filter = mode.tagIdFilter;
  const onAir = filter?.match === 'prefix' && radio.hasSelects;
  if (filter?.match === 'prefix' && mode.query !== undefined) {
    problems.add('query', 'cannot be set together with a prefix filter');
  }
  const given = mode.query ?? {};
  const toPlan = (one: Query, field: string): QueryPlan => {
    const { sel, session, target, tagPopulation } = effectiveQuery(one, mode.type);
    if (sel !== 'ALL' && !radio.hasSelects) {
      problems.add(`${field}.sel`, `${sel} given, but the radio has no Selects`);
    }
    return {
      session: SESSIONS[session] ?? 0,
      target: TARGETS[target],
      tagPopulation,
      // Its Selects assert SL on those that are wanted.
      sel: SELS[onAir ? 'SL' : sel],
    };
  };
  if (!Array.isArray(given)) {
    const plan = toPlan(given, 'query');
    return Array.from({ length: count }, () => plan);
  }
  const plans = given.map((one, index) => toPlan(one, `query[${index}]`));
  return perAntenna(plans, count, 'query', problems);
}
