/**
 * An error's message for the log. If several addresses were tried in vain, it joins the message of each; the error around
 * them says nothing.
 */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0)
    return error.errors.map(reasonOf).join("; ");
  return error instanceof Error ? error.message : String(error);
}
