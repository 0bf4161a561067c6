/** The other side broke the wire's rules; it is ended, never answered. The message names the rule, never the content. */
export class WireError extends Error {
  override readonly name = "WireError";
}
