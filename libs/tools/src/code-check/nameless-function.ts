import { CALLED_WITH, CALL_START } from "./call-edits.ts";
import { linesOf } from "./named-functions.ts";
import { parseBody } from "./parse-body.ts";

const LINE_END = /[\r\n\u2028\u2029]/;

/**
 * The text that runs where the code is one function without a name, which is no statement of the language; null for any
 * other. Only for code that doesn't parse as it is.
 */
export function callOfNameless(code: string): string | null {
  if (!/^(?:async\s+)?function\s*\(/.test(code.slice(firstWord(code)))) return null;
  const trimmed = code.trimEnd();
  const runs = `${CALL_START}${trimmed.endsWith(";") ? trimmed.slice(0, -1) : trimmed}\n)${CALLED_WITH};`;
  const parsed = parseBody(runs);
  if ("offence" in parsed) return null;
  const [line, ...more] = linesOf(parsed.program);
  // Text that closes the bracket and opens another would be several statements, or another call.
  if (more.length > 0 || line?.type !== "ReturnStatement" || line.argument?.type !== "CallExpression")
    return null;
  return line.argument.callee.type === "FunctionExpression" ? runs : null;
}

/** The offset of the first word, behind blanks and comments. */
function firstWord(code: string): number {
  let at = 0;
  for (;;) {
    while (at < code.length && code.slice(at, at + 1).trim() === "") at += 1;
    if (code.startsWith("/*", at)) {
      const end = code.indexOf("*/", at + 2);
      if (end === -1) return code.length;
      at = end + 2;
    } else if (code.startsWith("//", at)) {
      while (at < code.length && !LINE_END.test(code.charAt(at))) at += 1;
    } else return at;
  }
}
