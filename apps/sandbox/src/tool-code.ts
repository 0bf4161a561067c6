/** The tool's code as the body of an async function; the added line is counted away by WRAPPED. */
export const wrapBody = (code: string): string => `(async function () {"use strict";\n${code}\n})`;

/** So that the first line of the tool's own code is tool.js:1:1. */
export const WRAPPED = { filename: "tool.js", lineOffset: -1 };

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
