import { transformSync } from "amaro";

/** What Node's parser throws, which is amaro's as well. */
interface ParserFault {
  code: "InvalidSyntax" | "UnsupportedSyntax";
  message: string;
  snippet: string;
  startLine: number;
}

const CODES: ReadonlyMap<unknown, string> = new Map([
  ["InvalidSyntax", "ERR_INVALID_TYPESCRIPT_SYNTAX"],
  ["UnsupportedSyntax", "ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX"],
]);

/**
 * As `node:module` has it, for the program that is packed: Node 20 has none, and others' versions would find other faults than
 * the service.
 */
export function stripTypeScriptTypes(code: string): string {
  try {
    return transformSync(code, { mode: "strip-only" }).code;
  } catch (error) {
    const name = CODES.get((error as Partial<ParserFault>).code);
    if (name === undefined) throw error;
    const { message, snippet, startLine } = error as ParserFault;
    const fault = Object.assign(new SyntaxError(message), { code: name });
    fault.stack = `:${startLine}\n${snippet}\nSyntaxError [${name}]: ${message}`;
    throw fault;
  }
}
