/** The start can't go on, for a reason that its user can act on; the message has the remedy, no stack needed. */
export class StartRefusal extends Error {
  override readonly name = "StartRefusal";
}
