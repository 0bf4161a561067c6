import type { StripFault, StripOutcome } from "@bulkhead/core";
import { EXPORT_ADVICE, IMPORT_ADVICE } from "../code-check/module-syntax.ts";
import { stripTypeScriptTypes } from "node:module";
import { MESSAGE_CHARS_MAX } from "./bounds.ts";
import { offsetOf, placeOf } from "./fault-place.ts";
import { MODULE_WORD_ROUNDS_MAX, typesOnlyAt } from "./type-modules.ts";

/** The text around the code while its types are taken out; the code has lines of its own, so columns stay true. */
type Wrapping = readonly [before: string, after: string];

// A `return` at the top is a fault outside a function. A last line comment can't swallow the brace.
const BODY: Wrapping = ["async function tool() {\n", "\n}"];
/** For a function without a name, which is no statement. */
const VALUE: Wrapping = ["async function tool() {(\n", "\n)}"];
/** For what has imports and exports and no `return` at the top: then the types among them go too. */
const MODULE: Wrapping = ["", ""];

/** The parser's words for `import` and `export` inside a function. */
const OUTSIDE_MODULES = "cannot be used outside of module code";
const NAMELESS = /^\s*(?:async\s+)?function\s*\(/;

/**
 * Takes the types out of a function's body, or of a module that exports one. Throws where the parser broke, not the text:
 * then it must not be used again. What closes the wrapping function early comes back as it is, for validation to refuse, and
 * so do imports and exports of values where nothing returns at the top.
 */
export function stripBody(code: string): StripOutcome {
  const first = tryStrip(code, BODY);
  if (first.ok) return first;
  if (NAMELESS.test(code)) {
    const value = tryStrip(code, VALUE);
    if (value.ok) return value;
  }
  if (!first.error.message.includes(OUTSIDE_MODULES)) return faultOf(code, first);
  const whole = tryStrip(code, MODULE);
  return whole.ok ? whole : stripBesideTypes(code, first);
}

/** Imports and exports of types alone are taken away where they stand, one after the other. */
function stripBesideTypes(code: string, first: Refused): StripOutcome {
  let text = code;
  let refused = first;
  for (let round = 0; round < MODULE_WORD_ROUNDS_MAX; round += 1) {
    if (!refused.error.message.includes(OUTSIDE_MODULES)) break;
    const place = placeOf(text, refused.error, (one) => strip(one, BODY));
    const at = offsetOf(text, place);
    const without = typesOnlyAt(text, at);
    if (without === null) return { ok: false, fault: { ...place, ...adviceAt(text, at) } };
    text = without;
    const next = tryStrip(text, BODY);
    if (next.ok) return next;
    refused = next;
  }
  return faultOf(text, refused);
}

/** As validation says it of JavaScript. */
const adviceAt = (text: string, at: number): Pick<StripFault, "rule" | "message"> =>
  text.startsWith("import", at)
    ? { rule: "import", message: IMPORT_ADVICE }
    : { rule: "syntax", message: EXPORT_ADVICE };

interface Refused {
  ok: false;
  error: Error;
  kind: Pick<StripFault, "rule" | "message">;
}

const faultOf = (code: string, { error, kind }: Refused): StripOutcome => ({
  ok: false,
  fault: { ...placeOf(code, error, (text) => strip(text, BODY)), ...kind },
});

function tryStrip(code: string, wrapping: Wrapping): { ok: true; code: string } | Refused {
  try {
    return { ok: true, code: strip(code, wrapping) };
  } catch (error) {
    const kind = kindOf(error);
    if (kind === null || !(error instanceof Error)) throw error;
    return { ok: false, error, kind };
  }
}

function strip(code: string, [before, after]: Wrapping): string {
  const stripped = stripTypeScriptTypes(before + code + after);
  if (stripped.length !== before.length + code.length + after.length)
    throw new Error("stripping types moved the code");
  return stripped.slice(before.length, stripped.length - after.length);
}

/** The fault of the text; null where the parser itself is at fault. */
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
