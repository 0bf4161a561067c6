import { LRUCache } from "lru-cache";
import { createHash } from "node:crypto";

export interface RememberBounds<V> {
  entriesMax: number;
  /** The greatest weight of all entries together; a value that weighs more alone is made anew each time. */
  weight: { max: number; of: (value: V) => number };
}

/**
 * Remembers what a pure function makes of a text, under the text's SHA-256, the least recently asked for going first. What
 * it makes is shared by all who ask, so nobody may change it; nothing ever makes it untrue, so there is nothing to revoke.
 */
export function rememberByText<V extends object>(
  make: (text: string) => V,
  { entriesMax, weight }: RememberBounds<V>,
): (text: string) => V {
  const known = new LRUCache<string, V>({
    max: entriesMax,
    maxSize: weight.max,
    // An entry's own cost, so that empty values count too.
    sizeCalculation: (value) => 1 + weight.of(value),
  });
  return (text) => {
    const key = createHash("sha256").update(text).digest("base64");
    const before = known.get(key);
    if (before !== undefined) return before;
    const made = make(text);
    known.set(key, made);
    return made;
  };
}
