import type { WordNode } from "just-bash";

/** The text of a word in which nothing is computed when it runs; else null. */
export function plainText({ parts }: Pick<WordNode, "parts">): string | null {
  // The name of a builtin, which this parser takes for the beginning of a pattern.
  if (parts.length === 1 && parts[0]?.type === "Glob" && parts[0].pattern === "[") return "[";
  let text = "";
  for (const part of parts) {
    if (part.type === "Literal" || part.type === "SingleQuoted" || part.type === "Escaped")
      text += part.value;
    else if (part.type === "DoubleQuoted") {
      const quoted = plainText(part);
      if (quoted === null) return null;
      text += quoted;
    } else return null;
  }
  return text;
}
