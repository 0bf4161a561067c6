import { Fault } from "@bulkhead/core";

/** The length of a pattern, and how many patterns its braces may stand for. */
export const GLOB_CHARS_MAX = 512;
const GLOB_ALTERNATIVES_MAX = 64;

/** One character of a part: this one, any, any of a class, or `*` for any number of them. */
type Token = { is: string } | "any" | "many" | { among: readonly [string, string][]; not: boolean };
/** A part of a path, or `**` for any number of them. */
type Part = readonly Token[] | "deep";

/** A pattern for paths. */
export interface Glob {
  matches(path: string): boolean;
  /** The folder in which all that it matches lies; empty: the root. */
  folder: string;
}

/**
 * Compiles a pattern: `*` and `?` stand for characters but `/`, `**` between slashes for any number of folders, `[a-z]` and
 * `[!a-z]` for one character, `{a,b}` for either, and a backslash takes the next character as it is. Names with a dot in front
 * are names as any other, and case counts. The time for one path grows with pattern times path, whatever either holds. Throws
 * `file.pattern_invalid`.
 */
export function compileGlob(pattern: string): Glob {
  if (pattern === "") throw globFault("must not be empty");
  if (pattern.length > GLOB_CHARS_MAX) throw globFault(`must have ${GLOB_CHARS_MAX} characters at most`);
  if (!pattern.isWellFormed()) throw globFault("must not contain lone surrogates");
  const written = pattern.normalize("NFC").replace(/^\.?\//, "");
  const alternatives = expandBraces(written).map(parseParts);
  const endings = alternatives.map(endingOf);
  return {
    matches: (path) => {
      // Most paths end otherwise, which is seen without taking them apart.
      const likely = alternatives.filter((_parts, at) => path.endsWith(endings[at] ?? ""));
      if (likely.length === 0) return false;
      const names = path.split("/").map((name) => Array.from(name));
      return likely.some((parts) => matchParts(parts, names));
    },
    folder: commonFolder(alternatives.map(leadingFolder)),
  };
}

const globFault = (message: string): Fault =>
  new Fault("file.pattern_invalid", {
    detail: `The pattern can't be used: it ${message}.`,
    errors: [{ path: "pattern", message }],
  });

/** Inside out, the first pair that holds no other; what is no pair stands for itself. */
function expandBraces(pattern: string): string[] {
  const done: string[] = [];
  const open = [pattern];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const pair = innerBraces(next);
    if (pair === null) done.push(next);
    else
      for (const choice of pair.choices) open.push(next.slice(0, pair.from) + choice + next.slice(pair.to));
    if (done.length + open.length > GLOB_ALTERNATIVES_MAX)
      throw globFault(`must stand for ${GLOB_ALTERNATIVES_MAX} patterns at most`);
  }
  return done;
}

/** The first `{a,b}` that has a comma; braces without one are letters. */
function innerBraces(pattern: string): { from: number; to: number; choices: string[] } | null {
  const opened: { from: number; commas: number[] }[] = [];
  let inClass = false;
  for (let at = 0; at < pattern.length; at += 1) {
    const letter = pattern[at];
    if (letter === "\\") at += 1;
    else if (inClass) inClass = letter !== "]";
    else if (letter === "[") inClass = pattern.includes("]", at + 2);
    else if (letter === "{") opened.push({ from: at, commas: [] });
    else if (letter === ",") opened.at(-1)?.commas.push(at);
    else if (letter === "}") {
      const { from, commas } = opened.pop() ?? { from: at, commas: [] };
      if (commas.length === 0) continue;
      const cuts = [from, ...commas, at];
      const choices = cuts.slice(1).map((cut, n) => pattern.slice((cuts[n] ?? 0) + 1, cut));
      return { from, to: at + 1, choices };
    }
  }
  return null;
}

const parseParts = (pattern: string): Part[] =>
  pattern
    .split("/")
    .map((part): Part => (part === "**" ? "deep" : parsePart(Array.from(part))))
    // Several of them say no more than one.
    .filter((part, at, parts) => part !== "deep" || parts[at - 1] !== "deep");

function parsePart(letters: readonly string[]): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < letters.length; at += 1) {
    const letter = letters[at] ?? "";
    if (letter === "*") {
      if (tokens.at(-1) !== "many") tokens.push("many");
    } else if (letter === "?") tokens.push("any");
    else if (letter === "\\" && at + 1 < letters.length) tokens.push({ is: letters[(at += 1)] ?? "" });
    else if (letter === "[") {
      const { token, end } = parseClass(letters, at);
      tokens.push(token);
      at = end;
    } else tokens.push({ is: letter });
  }
  return tokens;
}

/** A class from its bracket on; one that never ends is a bracket. `]` may stand first in it. */
function parseClass(letters: readonly string[], from: number): { token: Token; end: number } {
  const not = letters[from + 1] === "!" || letters[from + 1] === "^";
  const first = from + (not ? 2 : 1);
  const end = letters.indexOf("]", first + 1);
  if (end === -1) return { token: { is: "[" }, end: from };
  const among: [string, string][] = [];
  for (let at = first; at < end; at += 1) {
    const low = letters[at] ?? "";
    if (letters[at + 1] === "-" && at + 2 < end) {
      among.push([low, letters[at + 2] ?? ""]);
      at += 2;
    } else among.push([low, low]);
  }
  return { token: { among, not }, end };
}

const codeOf = (letter: string): number => letter.codePointAt(0) ?? 0;

function fitsOne(token: Exclude<Token, "many">, letter: string): boolean {
  if (token === "any") return true;
  if ("is" in token) return token.is === letter;
  const code = codeOf(letter);
  return token.among.some(([low, high]) => codeOf(low) <= code && code <= codeOf(high)) !== token.not;
}

/**
 * With wildcards that take any number, only the last one met has to be tried again: what an earlier one could take more, the
 * later one can take, too.
 */
function matchRun<One, Item>(
  pattern: readonly One[],
  items: readonly Item[],
  isMany: (one: One) => boolean,
  fits: (one: One, item: Item) => boolean,
): boolean {
  let at = 0;
  let many = -1;
  let taken = 0;
  for (let n = 0; n < items.length;) {
    const one = pattern[at];
    const item = items[n];
    if (one !== undefined && isMany(one)) {
      many = at;
      taken = n;
      at += 1;
    } else if (one !== undefined && item !== undefined && fits(one, item)) {
      at += 1;
      n += 1;
    } else if (many !== -1) {
      at = many + 1;
      taken += 1;
      n = taken;
    } else return false;
  }
  return pattern.slice(at).every(isMany);
}

const matchName = (part: readonly Token[], name: readonly string[]): boolean =>
  matchRun(
    part,
    name,
    (token) => token === "many",
    (token, letter) => token !== "many" && fitsOne(token, letter),
  );

/** A last `**` stands for something within the folder before it, so that it takes one name at least. */
function matchParts(parts: readonly Part[], names: readonly (readonly string[])[]): boolean {
  const last = parts.at(-1);
  const pattern = last === "deep" ? [...parts, ANY_NAME] : parts;
  return matchRun(
    pattern,
    names,
    (part) => part === "deep",
    (part, name) => part !== "deep" && matchName(part, name),
  );
}

const ANY_NAME: Part = ["many"];

/** What stands before the first part with a wildcard; the last part is a file's name. */
function leadingFolder(parts: readonly Part[]): string[] {
  const names: string[] = [];
  for (const part of parts.slice(0, -1)) {
    const name = part === "deep" ? null : plainName(part);
    if (name === null) break;
    names.push(name);
  }
  return names;
}

/** The text with which all that it matches ends. */
function endingOf(parts: readonly Part[]): string {
  const last = parts.at(-1);
  if (last === undefined || last === "deep") return "";
  const from = last.findLastIndex((token) => typeof token === "string" || !("is" in token)) + 1;
  return plainName(last.slice(from)) ?? "";
}

function plainName(part: readonly Token[]): string | null {
  let name = "";
  for (const token of part) {
    if (typeof token === "string" || !("is" in token)) return null;
    name += token.is;
  }
  return name;
}

function commonFolder(folders: readonly string[][]): string {
  const [first = [], ...others] = folders;
  const differs = first.findIndex((name, at) => others.some((other) => other[at] !== name));
  return (differs === -1 ? first : first.slice(0, differs)).join("/");
}
