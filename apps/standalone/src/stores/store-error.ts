/** A store could not be opened for a reason that its user can act on; the message has the remedy, no stack needed. */
export class StoreError extends Error {
  override readonly name = "StoreError";
}
