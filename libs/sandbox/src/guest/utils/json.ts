import { takeInteger, takeText, wrongKind } from "./arguments.ts";
import { jsonFaultAt } from "./json-fault.ts";

const INDENT_MAX = 10;

/** Like JSON.parse; the error has the position, line and column of the fault. Keys such as `__proto__` are data. */
export function parseJson(text: string): unknown {
  const given = takeText("parseJson", "text", text);
  try {
    return JSON.parse(given);
  } catch (error) {
    const at = jsonFaultAt(given);
    if (at === null) throw error;
    throw new SyntaxError(`utils.parseJson: ${faultText(given, at)}`);
  }
}

function faultText(text: string, at: number): string {
  const before = text.slice(0, at);
  const line = before.split("\n").length;
  const place = `position ${at} (line ${line}, column ${at - before.lastIndexOf("\n")})`;
  const point = text.codePointAt(at);
  return point === undefined
    ? `the text ends too early, at ${place}`
    : `unexpected ${JSON.stringify(String.fromCodePoint(point))} at ${place}`;
}

/**
 * Like JSON.stringify with 0 to 10 spaces of indent. Throws for values that JSON can't hold, instead of giving no text.
 */
export function toJson(data: unknown, indent = 2): string {
  const spaces = takeInteger("toJson", "indent", indent, 0, INDENT_MAX);
  let json: string | undefined;
  try {
    json = JSON.stringify(data, null, spaces) as string | undefined;
  } catch (error) {
    // An error of the tool's own toJSON or getter passes through.
    const message = error instanceof TypeError ? error.message : "";
    if (message.startsWith("Converting circular")) throw wrongKind("toJson", "data contains itself");
    if (message.includes("serialize a BigInt"))
      throw wrongKind("toJson", "data has a BigInt, which JSON can't hold");
    throw error;
  }
  if (json === undefined)
    throw wrongKind(
      "toJson",
      `data is ${data === undefined ? "undefined" : `a ${typeof data}`}, which JSON can't hold`,
    );
  return json;
}
