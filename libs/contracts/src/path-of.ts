/** Characters of a path; names come from the caller, and a fault need not repeat a megabyte of them. */
const PATH_CHARS_MAX = 300;

/** As in `items.0.name`; empty for the whole. One that is too long is cut off, with an ellipsis. */
export function pathOf(names: readonly PropertyKey[]): string {
  const path = names.map(String).join(".");
  return path.length <= PATH_CHARS_MAX ? path : `${path.slice(0, PATH_CHARS_MAX - 1)}…`;
}
