/** Where a module hands out a name, and the comment that stands before it. */
export interface ExportPlace {
  line: number;
  column: number;
  /** The words of its doc comment, without the tags behind them. */
  description: string | null;
}

/** White space between words; a text of nothing else is not gone through again and again. */
const GAP = String.raw`\s{1,20}`;
/** Characters of a list of exports that are looked through. */
const LIST_CHARS_MAX = 4_000;

/** Null where the text does not hand the name out by itself, as where it comes from another module. */
export function findExport(text: string, name: string): ExportPlace | null {
  const word = name.replaceAll(/[^\w]/g, String.raw`\$&`);
  const declared =
    name === "default"
      ? String.raw`^export${GAP}default\b`
      : String.raw`^(?:export${GAP})?(?:async${GAP})?(?:function\*?|const|let|var|class)${GAP}${word}(?![\w$])`;
  const listed = String.raw`^export\s{0,20}\{[^}]{0,${LIST_CHARS_MAX}}\b${word}\b`;
  const found = new RegExp(declared, "m").exec(text) ?? new RegExp(listed, "m").exec(text);
  if (!found) return null;
  const before = text.slice(0, found.index);
  const lines = before.split("\n");
  const doc = commentAtEnd(before);
  return {
    line: lines.length,
    column: (lines.at(-1)?.length ?? 0) + 1,
    description: doc === null ? null : wordsOf(doc),
  };
}

/** The inside of a doc comment that stands at the end of the text. */
function commentAtEnd(before: string): string | null {
  const text = before.trimEnd();
  if (!text.endsWith("*/")) return null;
  const start = text.lastIndexOf("/*");
  return text.startsWith("/**", start) ? text.slice(start + 3, -2) : null;
}

/** `@param` and the like tell of the code, not of the tool. */
function wordsOf(doc: string): string | null {
  const lines = doc.split(/\r?\n/).map((line) => line.replace(/^\s*\*?[ \t]?/, "").trimEnd());
  const end = lines.findIndex((line) => /^\s*@\w/.test(line));
  const words = (end < 0 ? lines : lines.slice(0, end)).join("\n").trim();
  return words === "" ? null : words;
}
