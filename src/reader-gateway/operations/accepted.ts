/** An answer that says: what was asked for, or asked about, is under way (HTTP status 202). */
export class Accepted {
  constructor(readonly body: unknown) {}
}
