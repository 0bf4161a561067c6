/** The object that a text is, as JSON; else what is wrong with it, in words. */
export function jsonObjectIn(text: string): Record<string, unknown> | string {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
    return "The arguments must be one object, in braces.";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
