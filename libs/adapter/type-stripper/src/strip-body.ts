import type { StripFault, StripOutcome } from "@bulkhead/domain";
import { stripTypeScriptTypes } from "node:module";
import { MESSAGE_CHARS_MAX } from "./bounds.ts";
import { placeOf } from "./fault-place.ts";

// A `return` at the top is a fault outside a function. The code stands on lines of its own, so columns stay true and a
// last line comment can't swallow the brace.
const BEFORE = "async function tool() {\n";
const AFTER = "\n}";

/**
 * Takes the types out of a function's body. Throws where the parser broke, not the text: then it must not be used again.
 * What closes the wrapping function early comes back as it is, for validation to refuse.
 */
export function stripBody(code: string): StripOutcome {
  try {
    return { ok: true, code: strip(code) };
  } catch (error) {
    const kind = kindOf(error);
    if (kind === null || !(error instanceof Error)) throw error;
    return { ok: false, fault: { ...placeOf(code, error, strip), ...kind } };
  }
}

function strip(code: string): string {
  const stripped = stripTypeScriptTypes(BEFORE + code + AFTER);
  if (stripped.length !== BEFORE.length + code.length + AFTER.length)
    throw new Error("stripping types moved the code");
  return stripped.slice(BEFORE.length, -AFTER.length);
}

/** What is wrong with the text; null where something is wrong with the parser. */
function kindOf(error: unknown): Pick<StripFault, "rule" | "message"> | null {
  if (!(error instanceof SyntaxError) || !("code" in error)) return null;
  const text = shorten(error.message);
  if (error.code === "ERR_INVALID_TYPESCRIPT_SYNTAX") return { rule: "syntax", message: `${text}.` };
  if (error.code !== "ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX") return null;
  const what = text.replace(/ (is|are) not supported in (strip-only|type strip) mode\.?/, "");
  return {
    rule: "typescript",
    message: `${what}: only what runs when types are left out is taken; write plain JavaScript for it.`,
  };
}

const shorten = (text: string): string =>
  text.length > MESSAGE_CHARS_MAX ? `${text.slice(0, MESSAGE_CHARS_MAX)}…` : text.replace(/\.$/, "");
