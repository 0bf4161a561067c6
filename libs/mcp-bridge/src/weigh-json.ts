/** The most that JSON may have: bytes, values of its objects and lists all together, and levels of those below the outermost. */
export interface JsonBounds {
  bytes: number;
  values: number;
  levels: number;
}

/** How much of an object or a list counts: all of it, its own values but nothing within them, or not even those. */
type Look = "all" | "names" | "nothing";

const ALL = (): Look => "all";

/**
 * About how many bytes a value has as JSON, and never more than those: names, texts, and one for each value. Where it is
 * beyond a bound, that one, found before all of it was looked at: to write an object of a million names takes seconds.
 * `lookInto` says how much of what stands under a name counts.
 */
export function weighJson(
  json: object,
  bounds: JsonBounds,
  lookInto: (name: string | number, holder: object) => Look = ALL,
): number | keyof JsonBounds {
  const open: { value: object; level: number; look: Look }[] = [{ value: json, level: 0, look: "all" }];
  let values = 0;
  let bytes = 0;
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (at.level > bounds.levels) return "levels";
    const entries: object = at.value;
    const names = Array.isArray(entries) ? null : Object.keys(entries);
    const count = names?.length ?? (entries as unknown[]).length;
    values += count;
    if (values > bounds.values) return "values";
    bytes += count;
    if (at.look === "names") continue;
    for (let n = 0; n < count && bytes <= bounds.bytes; n += 1) {
      const name = names?.[n] ?? n;
      const value: unknown = (entries as Record<string | number, unknown>)[name];
      if (typeof name === "string") bytes += Buffer.byteLength(name);
      if (typeof value === "string") bytes += Buffer.byteLength(value);
      else if (typeof value === "object" && value !== null) {
        const look = lookInto(name, entries);
        if (look !== "nothing") open.push({ value, level: at.level + 1, look });
      }
    }
    if (bytes > bounds.bytes) return "bytes";
  }
  return bytes;
}
