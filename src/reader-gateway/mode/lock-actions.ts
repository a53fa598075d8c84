/** Names of lock actions -> the mask and action bits of a Gen2 Lock (Gen2 section 6.3.2.12.3.5). */

/** Where a field's two bits begin: pwd (write; for passwords also read), then permalock. */
const KILL = 8;
const ACCESS = 6;
const EPC = 4;
const TID = 2;
const USER = 0;

interface LockAction {
  field: number;
  mask: number;
  action: number;
}

/** Secured: only with the access password. */
const lock = (field: number): LockAction => ({ field, mask: 0b10, action: 0b10 });
const unlock = (field: number): LockAction => ({ field, mask: 0b10, action: 0b00 });
/** Never again, for anybody. */
const permalock = (field: number): LockAction => ({ field, mask: 0b11, action: 0b11 });

export const LOCK_ACTIONS: Readonly<Record<string, LockAction>> = {
  PERMALOCK_ACCESS_PASSWORD: permalock(ACCESS),
  PERMALOCK_EPC_BANK: permalock(EPC),
  PERMALOCK_KILL_PASSWORD: permalock(KILL),
  PERMALOCK_USER_BANK: permalock(USER),
  PERMALOCK_TID_BANK: permalock(TID),
  READ_WRITE_LOCK_ACCESS_PASSWORD: lock(ACCESS),
  READ_WRITE_LOCK_KILL_PASSWORD: lock(KILL),
  READ_WRITE_UNLOCK_ACCESS_PASSWORD: unlock(ACCESS),
  READ_WRITE_UNLOCK_KILL_PASSWORD: unlock(KILL),
  WRITE_LOCK_EPC_BANK: lock(EPC),
  WRITE_LOCK_TID_BANK: lock(TID),
  WRITE_LOCK_USER_BANK: lock(USER),
  WRITE_UNLOCK_EPC_BANK: unlock(EPC),
  WRITE_UNLOCK_TID_BANK: unlock(TID),
  WRITE_UNLOCK_USER_BANK: unlock(USER),
};

/** @returns undefined if two of the actions want different things of one field. */
export function lockPayload(
  names: readonly string[],
): { mask: number; action: number } | undefined {
  let mask = 0;
  let action = 0;
  const seen = new Map<number, string>();
  for (const name of names) {
    const one = LOCK_ACTIONS[name];
    if (one === undefined) continue;
    const before = seen.get(one.field);
    if (before !== undefined && before !== name) return undefined;
    seen.set(one.field, name);
    mask |= one.mask << one.field;
    action |= one.action << one.field;
  }
  return { mask, action };
}
