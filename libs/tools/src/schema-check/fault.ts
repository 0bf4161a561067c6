import type { InputFault } from "@bulkhead/core";
import { FAULT_CHARS_MAX } from "./bounds.ts";

/** A fault whose texts are short enough for an answer and well-formed, whatever names and values the schema holds. */
export function buildFault(path: string, message: string): InputFault {
  return { path: cut(path), message: cut(message) };
}

function cut(text: string): string {
  const short = text.length > FAULT_CHARS_MAX ? `${text.slice(0, FAULT_CHARS_MAX)}…` : text;
  return short.toWellFormed();
}
