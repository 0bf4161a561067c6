const NUMBER_START = /-?(?:(?:0|[1-9]\d*)(?:\.\d*)?(?:(?<=\d)[eE][+-]?\d*)?)?/y;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const WORDS = ["true", "false", "null"];

/** The end of a token, or the place in it where it stops being one. */
interface Token {
  end: number;
  valid: boolean;
}

/**
 * The position at which a text stops being JSON (RFC 8259): the first character that can't stand there, or the text's
 * length if it ends too early. Null for JSON. V8's own message has a position for some faults only.
 */
export function jsonFaultAt(text: string): number | null {
  const open: string[] = [];
  let wanted: "value" | "first" | "key" | "firstKey" | "colon" | "next" = "value";
  for (let at = spaceEnd(text, 0); ; at = spaceEnd(text, at)) {
    const char = text[at];
    const inside = open.at(-1);
    if (wanted === "next" && inside === undefined) return char === undefined ? null : at;
    if (char === undefined) return at;
    if (wanted === "next" && char === ",") wanted = inside === "{" ? "key" : "value";
    else if (wanted === "colon" && char === ":") wanted = "value";
    else if (char === (inside === "{" ? "}" : "]") && ["next", "first", "firstKey"].includes(wanted)) {
      open.pop();
      wanted = "next";
    } else if (wanted === "next" || wanted === "colon") return at;
    else if (wanted === "key" || wanted === "firstKey") {
      const { end, valid } = char === '"' ? stringToken(text, at) : { end: at, valid: false };
      if (!valid) return end;
      at = end;
      wanted = "colon";
      continue;
    } else if (char === "{" || char === "[") {
      open.push(char);
      wanted = char === "{" ? "firstKey" : "first";
    } else {
      const { end, valid } = scalarToken(text, at);
      if (!valid) return end;
      at = end;
      wanted = "next";
      continue;
    }
    at++;
  }
}

function spaceEnd(text: string, at: number): number {
  let end = at;
  while (text[end] === " " || text[end] === "\n" || text[end] === "\r" || text[end] === "\t") end++;
  return end;
}

function scalarToken(text: string, at: number): Token {
  const char = text[at] as string;
  if (char === '"') return stringToken(text, at);
  const word = WORDS.find((one) => one[0] === char);
  if (word === undefined) return numberToken(text, at);
  let length = 1;
  while (length < word.length && text[at + length] === word[length]) length++;
  return { end: at + length, valid: length === word.length };
}

function numberToken(text: string, at: number): Token {
  NUMBER_START.lastIndex = at;
  const digits = NUMBER_START.exec(text)?.[0] ?? "";
  return { end: at + digits.length, valid: NUMBER.test(digits) };
}

function stringToken(text: string, at: number): Token {
  let end = at + 1;
  for (; text[end] !== '"'; end++) {
    if (end >= text.length || text.charCodeAt(end) < 0x20) return { end, valid: false };
    if (text[end] !== "\\") continue;
    end++;
    const digits = text[end] === "u" ? 4 : 0;
    if (digits === 0 && !'"\\/bfnrt'.includes(text[end] ?? "none")) return { end, valid: false };
    for (let i = 0; i < digits; i++) if (!/[0-9a-f]/i.test(text[++end] ?? "")) return { end, valid: false };
  }
  return { end: end + 1, valid: true };
}
