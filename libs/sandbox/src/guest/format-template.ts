import { head } from "./budget.ts";
import { format, FORMATTED_CHARS_MAX } from "./format.ts";
import {
  fromCharCodes,
  charCodeAt,
  indexOf,
  slice,
  stringifyJson,
  symbolText,
  toText,
} from "./primordials.ts";

const toInteger = Number.parseInt;
const toDecimal = Number.parseFloat;
const PERCENT = 37;
const DIRECTIVES = "sdifoOjc%";

/**
 * A line of the console whose first value is a text with directives, as the Console standard has it: `%s %d %i %f %o %O
 * %c`, Node's `%j`, and `%%`. A directive without a value stays as it is; further values follow after a space each.
 * Bounded as `format` is, and for the whole line by `charsMax`, a little over it.
 */
export function formatTemplate(template: string, values: readonly unknown[], charsMax: number): string {
  let line = "";
  let next = 1;
  let from = 0;
  for (let at = 0; at < template.length - 1 && line.length <= charsMax; at++) {
    if (charCodeAt(template, at) !== PERCENT) continue;
    const directive = fromCharCodes(charCodeAt(template, at + 1));
    if (indexOf(DIRECTIVES, directive) < 0 || (directive !== "%" && next >= values.length)) continue;
    line += slice(template, from, at) + (directive === "%" ? "%" : write(directive, values[next++]));
    from = at + 2;
    at++;
  }
  line += slice(template, from);
  for (; next < values.length && line.length <= charsMax; next++) line += ` ${format(values[next])}`;
  return line;
}

function write(directive: string, value: unknown): string {
  try {
    switch (directive) {
      case "s":
        return typeof value === "symbol" ? symbolText(value) : head(toText(value), FORMATTED_CHARS_MAX);
      case "d":
      case "i":
        return typeof value === "symbol" ? "NaN" : toText(toInteger(bare(value), 10));
      case "f":
        return typeof value === "symbol" ? "NaN" : toText(toDecimal(bare(value)));
      case "c":
        return "";
      case "j":
        return json(value);
      default:
        return typeof value === "string" ? json(value) : format(value);
    }
  } catch {
    // The tool's own toString or toJSON threw, or the value has no JSON: the line goes on without it.
    return "[unreadable]";
  }
}

/** A number is within the first of its characters; a rope would be flattened to look for it. */
const bare = (value: unknown): string => head(toText(value), FORMATTED_CHARS_MAX);

const json = (value: unknown): string => {
  const text = stringifyJson(typeof value === "string" ? head(value, FORMATTED_CHARS_MAX) : value);
  return text === undefined ? "undefined" : head(text, FORMATTED_CHARS_MAX);
};
