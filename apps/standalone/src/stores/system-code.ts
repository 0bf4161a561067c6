/** The code of a system or driver error ("ENOENT", "57P03"), or null if the thrown value has none. */
export function systemCode(cause: unknown): string | null {
  if (!(cause instanceof Error) || !("code" in cause)) return null;
  return typeof cause.code === "string" ? cause.code : null;
}
