/** The best frame of 2^q slots if all slots last as long (reference section 10.6). */

/** The number of tags from which on the frame of 2F slots singulates more than that of F. */
export function crossing(frame: number): number {
  return 1 + Math.LN2 / Math.log((2 * frame - 1) / (2 * frame - 2));
}

export function bestFrame(tags: number): number {
  let frame = 1;
  while (tags > 1 && tags > crossing(frame)) frame *= 2;
  return frame;
}
