import { parse, type Node, type Position, type Program } from "acorn";

/** A fault in a tool's code; `line` and `column` count from 1 in the tool's own text. */
export interface CodeFault {
  line: number;
  column: number;
  message: string;
  /** The rule that was broken; `syntax` means that the code does not compile. */
  rule: CodeRule;
}

type CodeRule = "syntax";

/** UTF-8 bytes of a tool's code. */
export const CODE_BYTES_MAX = 256 * 1024;
/** Brackets open at once; ten times what people write, a tenth of what the parser's stack holds. */
export const CODE_NESTING_MAX = 200;

// The code stands on lines of its own, so columns stay true and a last line comment can't swallow the brace.
const BEFORE = "async function tool() {\n";
const AFTER = "\n}";

/**
 * The faults that keep `code` from compiling as the body of a strict async function without modules; none when it
 * compiles. Stops at the first fault, as a parser does. Never throws, whatever the text.
 */
export function checkCode(code: string): CodeFault[] {
  if (Buffer.byteLength(code) > CODE_BYTES_MAX)
    return [syntax(1, 1, `The code is larger than ${CODE_BYTES_MAX / 1024} KiB.`)];
  if (code.startsWith("#!"))
    return [syntax(1, 1, "A tool's code is a function body: leave the #! line out.")];
  const parsed = parseBody(code);
  if ("fault" in parsed) return [parsed.fault];
  const module = findModuleSyntax(parsed.program, code);
  return module ? [module] : [];
}

function parseBody(code: string): { program: Program } | { fault: CodeFault } {
  const source = BEFORE + code + AFTER;
  try {
    // Module goal: always strict, and `<!--` is no comment. What modules add is refused after parsing.
    const program = parse(source, {
      ecmaVersion: "latest",
      sourceType: "module",
      locations: true,
      allowImportExportEverywhere: true,
      onToken: watchBrackets(source.length),
    });
    return { program };
  } catch (error) {
    return { fault: describe(error, code) };
  }
}

function describe(error: unknown, code: string): CodeFault {
  if (error instanceof BracketFault) return faultAt(error.at, code, error.message);
  if (!(error instanceof SyntaxError)) throw error;
  const place = "loc" in error && isPosition(error.loc) ? error.loc : undefined;
  // The parser descends once per operator and branch too, which no bracket shows; it tells when its stack is used up.
  if (error.message.startsWith("Not enough stack"))
    return faultAt(place, code, "The code is nested too deeply.");
  // Exported names are looked up in the module's scope, which is not the tool's, before the walk sees the export.
  if (error.message.startsWith("Export '")) return faultAt(place, code, MODULE_SYNTAX.ExportNamedDeclaration);
  return faultAt(place, code, `${error.message.replace(/ \(\d+:\d+\)$/, "")}.`);
}

class BracketFault extends Error {
  readonly at: Position | undefined;
  constructor(message: string, at: Position | undefined) {
    super(message);
    this.at = at;
  }
}

const OPENING = new Set(["(", "[", "{", "${"]);
const CLOSING = new Set([")", "]", "}"]);

type SeenToken = { type: { label: string }; end: number; loc?: { start: Position } | null };

/** Stops the parser at a bracket too deep, and at one that closes the wrapping function before the wrapper does. */
function watchBrackets(sourceLength: number): (token: SeenToken) => void {
  let depth = -1; // the wrapper's parameters and brace go to 0
  return ({ type, end, loc }) => {
    if (OPENING.has(type.label)) depth += 1;
    else if (CLOSING.has(type.label)) depth -= 1;
    else return;
    if (depth > CODE_NESTING_MAX)
      throw new BracketFault(`The code is nested deeper than ${CODE_NESTING_MAX} brackets.`, loc?.start);
    // `} evil(); async function x() {` would parse, as two functions.
    if (depth < 0 && type.label === "}" && end < sourceLength)
      throw new BracketFault("Unexpected }: it closes a block that is not open.", loc?.start);
  };
}

const MODULE_SYNTAX = {
  ImportDeclaration: "import is not available to tools: everything a tool may use is a global.",
  ImportExpression: "import() is not available to tools: everything a tool may use is a global.",
  MetaProperty: "import.meta is not available to tools.",
  ExportNamedDeclaration: "export is not available to tools: return the result instead.",
  ExportDefaultDeclaration: "export is not available to tools: return the result instead.",
  ExportAllDeclaration: "export is not available to tools: return the result instead.",
} as const;
type ModuleSyntax = Node & { type: keyof typeof MODULE_SYNTAX };

function findModuleSyntax(program: Program, code: string): CodeFault | undefined {
  // Keywords can't be written with escapes, so most tools are spared the walk.
  if (!/import|export/.test(code)) return undefined;
  let found: ModuleSyntax | undefined;
  const pending: unknown[] = [program];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next !== "object" || next === null) continue;
    if (isNode(next) && isModuleSyntax(next) && (!found || next.start < found.start)) found = next;
    for (const child of Object.values(next)) if (typeof child === "object") pending.push(child);
  }
  return found && faultAt(found.loc?.start, code, MODULE_SYNTAX[found.type]);
}

function isNode(value: object): value is Node {
  return "type" in value && typeof value.type === "string" && "start" in value;
}

function isModuleSyntax(node: Node): node is ModuleSyntax {
  if (node.type !== "MetaProperty") return Object.hasOwn(MODULE_SYNTAX, node.type);
  // `new.target` is the other meta property, and harmless.
  return "meta" in node && isNamed(node.meta) && node.meta.name === "import";
}

function isNamed(value: unknown): value is { name: string } {
  return typeof value === "object" && value !== null && "name" in value && typeof value.name === "string";
}

function isPosition(value: unknown): value is Position {
  return typeof value === "object" && value !== null && "line" in value && "column" in value;
}

/** Turns a place in the wrapped source into one in the tool's text; what lies past its end is shown at its end. */
function faultAt(place: Position | undefined, code: string, message: string): CodeFault {
  const lines = code.split(/\r\n|[\n\r\u2028\u2029]/);
  const line = (place?.line ?? 2) - 1;
  if (line > lines.length) {
    const text = message.startsWith("Unexpected token") ? "Unexpected end of the code." : message;
    return syntax(lines.length, (lines.at(-1)?.length ?? 0) + 1, text);
  }
  return syntax(Math.max(line, 1), Math.max((place?.column ?? 0) + 1, 1), message);
}

function syntax(line: number, column: number, message: string): CodeFault {
  return { line, column, message, rule: "syntax" };
}
