/** Lock states of a tag's fields as the ten action bits of a Lock payload (reference section 8.3). */
export const LOCK_FIELDS = ['kill', 'access', 'epc', 'tid', 'user'] as const;
export const LOCK_STATES = ['open', 'open-for-ever', 'secured', 'never'] as const;

export type Locks = Partial<Record<(typeof LOCK_FIELDS)[number], (typeof LOCK_STATES)[number]>>;

/** Chips come with their TID locked for ever. */
export function lockBits(locks: Locks): number {
  const all: Locks = { tid: 'never', ...locks };
  return LOCK_FIELDS.reduce(
    (bits, field) => (bits << 2) | LOCK_STATES.indexOf(all[field] ?? 'open'),
    0,
  );
}
