import { webLink } from "../format/web-link.ts";

/** Text with emphasis, code and links. */
export type Inline =
  | { kind: "text" | "code"; text: string }
  | { kind: "break" }
  | { kind: "strong" | "em" | "strike"; children: Inline[] }
  | { kind: "link"; href: string; children: Inline[] };

const DEPTH_MAX = 4;
const LINK = /!?\[([^[\]\n]{1,1000})\]\(\s?<?([^()\s<>]{1,2000})>?(?:\s+"[^"\n]{0,300}")?\s?\)/y;
const BARE_LINK = /https?:\/\/[^\s<>()[\]"'`]{1,2000}/y;
const TICKS = /`+/y;
const PLAIN = /[^\\`*_~[!h\n]+|h(?!ttps?:\/\/)/y;
const ESCAPED = /\\([!-/:-@[-`{-~])/y;
const HARD_BREAK = /(?: {2,}|\\)\n/y;
const MARKS = [
  ["**", "strong"],
  ["__", "strong"],
  ["~~", "strike"],
  ["*", "em"],
  ["_", "em"],
] as const;

const WORD = /[\p{L}\p{N}]/u;

/** Reads one paragraph's text; each place is looked at a bounded number of times, so no text makes it slow. */
export function readInline(text: string, depth = 0): Inline[] {
  const out: Inline[] = [];
  const ended = new Set<string>();
  const say = (more: string): void => {
    const last = out.at(-1);
    if (last?.kind === "text") last.text += more;
    else out.push({ kind: "text", text: more });
  };
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found !== null) at += found[0].length;
    return found;
  };
  while (at < text.length) {
    const plain = take(PLAIN);
    if (plain !== null) {
      say(plain[0]);
      continue;
    }
    const code = readCode(text, at, ended);
    const marked = depth < DEPTH_MAX && code === null ? readMarks(text, at, ended, depth) : null;
    const whole = code ?? marked;
    if (whole !== null) {
      if (whole.inline.kind === "text") say(whole.inline.text);
      else out.push(whole.inline);
      at = whole.end;
      continue;
    }
    const link = take(LINK);
    if (link !== null) {
      const href = webLink(link[2] ?? "");
      if (href === null) say(link[0]);
      else out.push({ kind: "link", href, children: readInline(link[1] ?? "", DEPTH_MAX) });
      continue;
    }
    const bare = take(BARE_LINK);
    if (bare !== null) {
      const href = webLink(bare[0]);
      if (href === null) say(bare[0]);
      else out.push({ kind: "link", href, children: [{ kind: "text", text: bare[0] }] });
    } else if (take(HARD_BREAK)) out.push({ kind: "break" });
    else {
      const escaped = take(ESCAPED);
      say(escaped?.[1] ?? text[at] ?? "");
      if (escaped === null) at += 1;
    }
  }
  return out;
}

interface Read {
  inline: Inline;
  end: number;
}

/** What is between two runs of as many back quotes; a run that no other closes is text as a whole, so that it is read once. */
function readCode(text: string, at: number, ended: Set<string>): Read | null {
  TICKS.lastIndex = at;
  const ticks = TICKS.exec(text)?.[0];
  if (ticks === undefined) return null;
  const start = at + ticks.length;
  const end = ended.has(ticks) ? -1 : text.indexOf(ticks, start);
  if (end < 0) {
    ended.add(ticks);
    return { inline: { kind: "text", text: ticks }, end: start };
  }
  const inner = text.slice(start, end).replaceAll("\n", " ");
  return { inline: { kind: "code", text: inner.trim() || inner }, end: end + ticks.length };
}

/** What is between two marks of emphasis; `_` within a word is none. */
function readMarks(text: string, at: number, ended: Set<string>, depth: number): Read | null {
  for (const [mark, kind] of MARKS) {
    if (ended.has(mark) || !text.startsWith(mark, at)) continue;
    if (mark.startsWith("_") && WORD.test(text[at - 1] ?? "")) continue;
    const start = at + mark.length;
    const end = closingOf(text, mark, start);
    if (end < 0) ended.add(mark);
    if (end <= start || /\s/.test(text[start] ?? " ") || /\s/.test(text[end - 1] ?? " ")) continue;
    return {
      inline: { kind, children: readInline(text.slice(start, end), depth + 1) },
      end: end + mark.length,
    };
  }
  return null;
}

/** Marks that are passed over while one is looked for that closes. */
const PASSED_MAX = 50;

/** Where a mark closes: at the end of its run, and a single one not at a double one; -1: nowhere. */
function closingOf(text: string, mark: string, start: number): number {
  const char = mark[0] ?? "";
  let at = text.indexOf(mark, start);
  for (let passed = 0; at >= 0 && passed < PASSED_MAX; passed += 1) {
    let end = at + mark.length;
    while (text[end] === char) end += 1;
    if (mark.length > 1 || end - at !== 2) return end - mark.length;
    at = text.indexOf(mark, end);
  }
  return at;
}
