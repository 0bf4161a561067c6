/** An error's words for the log. Of several addresses that were tried in vain, each says why; the error around them says nothing. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0)
    return error.errors.map(reasonOf).join("; ");
  return error instanceof Error ? error.message : String(error);
}
