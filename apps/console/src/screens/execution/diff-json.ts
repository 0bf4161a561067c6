type Change = "same" | "changed" | "added" | "removed";

export interface JsonLine {
  /** Such as `orders[2].id`; empty for the whole. */
  path: string;
  change: Change;
  a: unknown;
  b: unknown;
}

/** More places than these are not compared one by one. */
const LINES_MAX = 2_000;

const isTree = (value: unknown): value is object => typeof value === "object" && value !== null;

/** What differs between two JSON values, place by place, in the order of the first; `isCut` where it ends before all was seen. */
export function diffJson(a: unknown, b: unknown): { lines: JsonLine[]; isCut: boolean } {
  const lines: JsonLine[] = [];
  let isCut = false;
  const add = (path: string, change: Change, one: unknown, two: unknown): void => {
    if (lines.length < LINES_MAX) lines.push({ path, change, a: one, b: two });
    else isCut = true;
  };
  const walk = (path: string, one: unknown, two: unknown): void => {
    if (isCut) return;
    const areTrees = isTree(one) && isTree(two) && Array.isArray(one) === Array.isArray(two);
    if (!areTrees) return add(path, Object.is(one, two) ? "same" : "changed", one, two);
    const names = new Set([...Object.keys(one), ...Object.keys(two)]);
    if (names.size === 0) return add(path, "same", one, two);
    for (const name of names) {
      const inner = pathOf(path, name, Array.isArray(one));
      const [inOne, inTwo] = [Object.hasOwn(one, name), Object.hasOwn(two, name)];
      const [left, right] = [one[name as never] as unknown, two[name as never] as unknown];
      if (!inTwo) add(inner, "removed", left, undefined);
      else if (inOne) walk(inner, left, right);
      else add(inner, "added", undefined, right);
    }
  };
  walk("", a, b);
  return { lines, isCut };
}

function pathOf(path: string, name: string, isList: boolean): string {
  if (isList) return `${path}[${name}]`;
  if (!/^[\w$]+$/.test(name)) return `${path}[${JSON.stringify(name)}]`;
  return path === "" ? name : `${path}.${name}`;
}
