/**
 * The options of a web API: empty if they are missing or null, and a TypeError for any other value that is no object. The
 * standards call it a dictionary.
 */
export function dictionary<Options extends object>(given: Options | null | undefined): Partial<Options> {
  if (given === undefined || given === null) return {};
  if (typeof given !== "object" && typeof given !== "function")
    throw new TypeError("options must be an object");
  return given;
}
