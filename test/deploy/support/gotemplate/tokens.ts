/** A template in pieces: text, and the insides of its actions. */
export type Piece = { kind: "text"; text: string } | { kind: "action"; words: string[]; line: number };

const WORD = /"(?:[^"\\]|\\.)*"|`[^`]*`|:=|[()|,]|[^\s()|,:=]+|=/g;

/** Cuts a template at `{{` and `}}`, trims where `-` asks for it, drops comments. Throws where an action stays open. */
export function cut(source: string): Piece[] {
  const pieces: Piece[] = [];
  let trimNext = false;
  let at = 0;
  while (at < source.length) {
    const start = source.indexOf("{{", at);
    const trimsLeft = start >= 0 && /^\{\{-\s/.test(source.slice(start, start + 4));
    let text = source.slice(at, start < 0 ? undefined : start);
    if (trimNext) text = text.trimStart();
    if (trimsLeft) text = text.trimEnd();
    if (text !== "") pieces.push({ kind: "text", text });
    if (start < 0) break;
    const line = source.slice(0, start).split("\n").length;
    const end = source.indexOf("}}", start);
    if (end < 0) throw new Error(`line ${line}: an action is not closed`);
    const trimsRight = /\s-$/.test(source.slice(start + 2, end));
    const inside = source.slice(start + (trimsLeft ? 3 : 2), trimsRight ? end - 1 : end).trim();
    if (!inside.startsWith("/*")) pieces.push({ kind: "action", words: inside.match(WORD) ?? [], line });
    trimNext = trimsRight;
    at = end + 2;
  }
  return pieces;
}
