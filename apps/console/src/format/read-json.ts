/** A place in a text, counted from one, and what is wrong there. */
export interface JsonFault {
  message: string;
  line: number;
  column: number;
}

export type ReadJson =
  | {
      value: unknown;
      /** A name that stands twice in an object, of which the last counts. */ doubled?: JsonFault;
    }
  | { fault: JsonFault };

const SPACE = /[ \t\n\r]*/y;
const TOKEN =
  // oxlint-disable-next-line no-control-regex -- JSON's texts hold none of these.
  /[{}[\],:]|"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\\u0000-\u001f]*)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/** What may come next; `…OrEnd`: or the end of an object or list that is empty so far. */
type Awaited = "value" | "valueOrEnd" | "name" | "nameOrEnd" | "colon" | "comma" | "end";

const MISSING: Readonly<Record<Awaited, string>> = {
  value: "A value is missing here.",
  valueOrEnd: "A value or ] is missing here.",
  name: "A name in double quotes is missing here.",
  nameOrEnd: "A name in double quotes or } is missing here.",
  colon: "A colon is missing behind the name.",
  comma: "A comma or the end of the object or list is missing here.",
  end: "Nothing may stand behind the value.",
};

/** A text as JSON; where it is none, the place and the reason. Browsers word theirs differently, and some name no place. */
export function readJson(text: string): ReadJson {
  const found = scan(text);
  if (found.fault !== undefined) return { fault: placed(text, found.fault.at, found.fault.message) };
  const value: unknown = JSON.parse(text);
  if (found.doubled === undefined) return { value };
  const { at, name } = found.doubled;
  return { value, doubled: placed(text, at, `The name “${name}” stands twice here; the last one counts.`) };
}

/** Deeper ones are not taken: what writes and compares values goes down by recursion, and a browser's stack is soon at its end. */
const LEVELS_MAX = 500;

interface Found {
  fault?: { at: number; message: string };
  doubled?: { at: number; name: string };
}

/** Reads token by token, without recursion: a text may begin as many levels as it likes. */
function scan(text: string): Found {
  /** The names of each object that is open; null for a list. */
  const open: (Set<string> | null)[] = [];
  const found: Found = {};
  let awaited: Awaited = "value";
  let at = 0;
  for (;;) {
    at = behind(SPACE, text, at) ?? at;
    const end = behind(TOKEN, text, at);
    if (at >= text.length && awaited === "end") return found;
    const token = end === undefined ? "" : text.slice(at, end);
    const next = after(token, awaited, open);
    if (end === undefined || next === undefined)
      return { fault: { at, message: wordsFor(text, at, awaited) } };
    if (open.length > LEVELS_MAX)
      return { fault: { at, message: `It nests deeper than ${LEVELS_MAX} levels here.` } };
    if (token.startsWith('"') && awaited.startsWith("name")) {
      const name = JSON.parse(token) as string;
      if (open.at(-1)?.has(name) === true) found.doubled ??= { at, name };
      open.at(-1)?.add(name);
    }
    awaited = next;
    at = end;
  }
}

/** What is awaited behind the token; undefined: it may not stand there. */
function after(token: string, awaited: Awaited, open: (Set<string> | null)[]): Awaited | undefined {
  const isEnd = token === (open.at(-1) === null ? "]" : "}") && open.length > 0;
  switch (awaited) {
    case "name":
    case "nameOrEnd":
      if (isEnd && awaited === "nameOrEnd") return closed(open);
      return token.startsWith('"') ? "colon" : undefined;
    case "colon":
      return token === ":" ? "value" : undefined;
    case "comma":
      if (isEnd) return closed(open);
      return token === "," ? (open.at(-1) === null ? "value" : "name") : undefined;
    case "end":
      return undefined;
    default:
      if (isEnd && awaited === "valueOrEnd") return closed(open);
      return afterValue(token, open);
  }
}

function afterValue(token: string, open: (Set<string> | null)[]): Awaited | undefined {
  if (token === "" || "}]:,".includes(token)) return undefined;
  if (token === "{" || token === "[") {
    open.push(token === "{" ? new Set() : null);
    return token === "{" ? "nameOrEnd" : "valueOrEnd";
  }
  return open.length === 0 ? "end" : "comma";
}

function closed(open: (Set<string> | null)[]): Awaited {
  open.pop();
  return open.length === 0 ? "end" : "comma";
}

function wordsFor(text: string, at: number, awaited: Awaited): string {
  if (text[at] === '"' && behind(TOKEN, text, at) === undefined)
    return "This text has no end, or something in it must be written with a backslash.";
  const isTrailing = (awaited === "name" && text[at] === "}") || (awaited === "value" && text[at] === "]");
  return isTrailing ? "The comma before this is one too many." : MISSING[awaited];
}

function behind(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

function placed(text: string, at: number, message: string): JsonFault {
  const before = text.slice(0, at);
  const line = before.split("\n").length;
  return { message, line, column: at - before.lastIndexOf("\n") };
}
