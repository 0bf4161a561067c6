/** Where a module hands out a name, and the comment that stands before it. */
export interface ExportPlace {
  line: number;
  column: number;
  /** The words of its doc comment, without the tags behind them. */
  description: string | null;
}

const DOC_COMMENT = /\/\*\*((?:[^*]|\*(?!\/))*)\*\/\s*$/;

/** Null where the text does not hand the name out by itself, as where it comes from another module. */
export function findExport(text: string, name: string): ExportPlace | null {
  const word = name.replaceAll(/[^\w]/g, String.raw`\$&`);
  const declared =
    name === "default"
      ? /^export\s+default\b/m
      : new RegExp(
          String.raw`^(?:export\s+)?(?:async\s+)?(?:function\s*\*?|const|let|var|class)\s+${word}(?![\w$])`,
          "m",
        );
  const found = declared.exec(text) ?? new RegExp(String.raw`^export\s*\{[^}]*\b${word}\b`, "m").exec(text);
  if (!found) return null;
  const before = text.slice(0, found.index);
  const lines = before.split("\n");
  const [, doc] = DOC_COMMENT.exec(before) ?? [];
  return {
    line: lines.length,
    column: (lines.at(-1)?.length ?? 0) + 1,
    description: doc === undefined ? null : wordsOf(doc),
  };
}

/** `@param` and the like tell of the code, not of the tool. */
function wordsOf(doc: string): string | null {
  const lines = doc.split(/\r?\n/).map((line) => line.replace(/^\s*\*?[ \t]?/, "").trimEnd());
  const end = lines.findIndex((line) => /^\s*@\w/.test(line));
  const words = (end < 0 ? lines : lines.slice(0, end)).join("\n").trim();
  return words === "" ? null : words;
}
