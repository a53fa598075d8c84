/** The protocol control word: what it says about the EPC after it, and how a URI says it. */

const PC_UMI = 0x0400;
const PC_XI = 0x0200;
const PC_TOGGLE = 0x0100;

/** True if an ISO application family identifier, not an EPC header, says what follows. */
export function hasAfi(pc: number): boolean {
  return (pc & PC_TOGGLE) !== 0;
}

/** The low byte: the application family identifier, or attribute bits. */
export function lowByte(pc: number): number {
  return pc & 0xff;
}

export function hex(value: number, digits: number): string {
  return value.toString(16).toUpperCase().padStart(digits, '0');
}

/**
 * The control fields of a tag or raw URI with the colon after them, or '' if all are zero (GS1 TDS
 * 2.3, section 12.2; how to get them from memory: section 15.2.4).
 *
 * The standard reads the memory: with T = 0 the attribute bits are 18h..1Fh, and XPC_W1 counts if
 * XI is set. A reader has only what was backscattered. With XI = 1 that is the same. With XI = 0
 * and T = 0 a tag that has XPC_W1 puts the low byte of it in the place of its attribute bits (its
 * high byte is zero then), which nothing in the reply tells from attribute bits: so those 8 bits
 * are shown as att in any case, and an XPC_W1 known from elsewhere is not shown, as XI says.
 */
export function controlFields(pc: number, xpcW1: number | undefined): string {
  let fields = '';
  if (!hasAfi(pc) && lowByte(pc) !== 0) fields += `[att=x${hex(lowByte(pc), 2)}]`;
  if ((pc & PC_UMI) !== 0) fields += '[umi=1]';
  if ((pc & PC_XI) !== 0 && xpcW1 !== undefined && xpcW1 !== 0) fields += `[xpc=x${hex(xpcW1, 4)}]`;
  return fields === '' ? '' : `${fields}:`;
}
