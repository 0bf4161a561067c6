const BEFORE = '(async function () {"use strict";';

/** The registry puts this before a whole function without a name, so that it is called; a test compares the two. */
export const CALL_START = "return/*the tool*/(";

/** The tool's code as the body of an async function; `wrapped` subtracts the added text from positions. */
export const wrapBody = (code: string): string => `${BEFORE}${isCalled(code) ? "" : "\n"}${code}\n})`;

const FILE = { filename: "tool.js" };
const BODY = { ...FILE, lineOffset: -1 };
/** All that was added stands on the first line. */
const CALLED = { ...FILE, columnOffset: -(BEFORE.length + CALL_START.length) };

/** The first line of the author's code is tool.js:1:1. */
export const wrapped = (code: string): typeof BODY | typeof CALLED => (isCalled(code) ? CALLED : BODY);

const isCalled = (code: string): boolean => code.startsWith(CALL_START);

/** How isolated-vm ends an error's message: with the place, in the tool's code or in none. */
const PLACE = / \[(?:tool\.js:(\d+):(\d+)|<isolated-vm>:\d+:\d+)\]$/;

/** The tool's code does not compile; the message is for its author. */
export class ToolSyntaxError extends Error {
  override readonly name = "ToolSyntaxError";
  /** `message` as isolated-vm writes it, with the place in brackets at its end. */
  constructor(message: string) {
    const place = PLACE.exec(message);
    // V8's words for code that closes the function around it.
    const said = message.replace("Single function literal required", "Unexpected token '}'");
    const text = `SyntaxError: ${said.replace(PLACE, "")}`;
    super(place?.[1] === undefined ? text : `${text} (tool.js:${place[1]}:${place[2]})`);
  }
}
