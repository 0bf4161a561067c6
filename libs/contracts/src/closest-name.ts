/** Changes of single characters after which a name still counts as a slip of another one. */
const EDITS_MAX = 2;
/** A name of fewer characters is too short to be a slip: nearly every other one would be close to it. */
const NAME_CHARS_MIN = 3;
/** Longer names are nobody's fields; they are not compared. */
const NAME_CHARS_MAX = 64;

/** The one of `known` that was probably meant by `name`: equal but for case, `_` and `-`, or else a slip away; null: none. */
export function closestName(name: string, known: readonly string[]): string | null {
  if (name.length > NAME_CHARS_MAX) return null;
  const plain = plainOf(name);
  const same = known.find((other) => plainOf(other) === plain);
  if (same !== undefined || plain.length < NAME_CHARS_MIN) return same ?? null;
  // A third of a short name is another word.
  const allowed = Math.min(EDITS_MAX, Math.floor(plain.length / 3));
  let closest: string | null = null;
  let fewest = allowed + 1;
  for (const other of known) {
    const edits = countEdits(plain, plainOf(other), fewest);
    if (edits >= fewest) continue;
    closest = other;
    fewest = edits;
  }
  return closest;
}

const plainOf = (name: string): string => name.toLowerCase().replaceAll(/[_-]/g, "");

/** Characters to insert, leave out or exchange (Levenshtein) to make `to` of `from`; `enough` where there are as many or more. */
function countEdits(from: string, to: string, enough: number): number {
  if (Math.abs(from.length - to.length) >= enough) return enough;
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let at = 1; at <= from.length; at += 1) {
    const next = [at];
    for (let upTo = 1; upTo <= to.length; upTo += 1) {
      const exchanged = (row[upTo - 1] ?? 0) + (from[at - 1] === to[upTo - 1] ? 0 : 1);
      next.push(Math.min(exchanged, (row[upTo] ?? 0) + 1, (next[upTo - 1] ?? 0) + 1));
    }
    if (Math.min(...next) >= enough) return enough;
    row = next;
  }
  return Math.min(row[to.length] ?? enough, enough);
}
