import { readDialect, URI_CHARS_MAX, type Dialect, type InputFault, type Json } from "@bulkhead/core";
import { buildFault } from "./fault.ts";
import { COSTLY, STRING_READERS, TYPES } from "./vocabulary.ts";

/** A keyword's text and where it stands. */
interface PlacedText {
  path: string;
  text: string;
}

/** The findings about a schema without compiling it; takes time in proportion to its size. */
export interface Inspection {
  /** Faults that this checker refuses whatever the drafts say. */
  faults: InputFault[];
  dialect: Dialect;
  /** JSON values in the schema. */
  nodes: number;
  /** Checking takes no longer than the product of both sizes: it has no references, patterns or unique items. */
  linear: boolean;
  /** Some keyword reads strings to their end. */
  readsStrings: boolean;
  /** Keywords that divide numbers. */
  divisions: number;
  patterns: (PlacedText & {
    /** It chooses the properties that a schema holds for, so it can't stay unchecked. */
    ofNames?: true;
  })[];
}

/** The position of a schema: inside another, at the root, or at a root whose `type` has been checked. */
export type Level = "inner" | "root" | "typed root";

/** Notes the cost of one keyword, and refuses one that can't be checked here. */
export function inspectKeyword(
  keyword: string,
  value: Json,
  path: string,
  level: Level,
  found: Inspection,
): void {
  if (COSTLY.has(keyword)) found.linear = false;
  if (STRING_READERS.has(keyword)) found.readsStrings = true;
  if (keyword === "multipleOf") found.divisions += 1;
  if (keyword === "pattern" && typeof value === "string") found.patterns.push({ path, text: value });
  const refusal = refuse(keyword, value, level, found.dialect);
  if (refusal !== undefined) found.faults.push(buildFault(path, refusal));
}

function refuse(keyword: string, value: Json, level: Level, dialect: Dialect): string | undefined {
  switch (keyword) {
    case "$ref":
    case "$dynamicRef":
      if (typeof value !== "string") return "must be a text that points into this schema (#/$defs/…)";
      return canBeDecoded(value) ? undefined : "has a % that begins no escape; write %25 for the sign itself";
    case "$recursiveRef":
      if (dialect !== "2019-09") return "is not part of this draft: use $ref";
      return value === "#" ? undefined : 'must be "#"';
    case "$recursiveAnchor":
      return dialect === "2019-09" ? undefined : "is not part of this draft: use $ref";
    case "$id":
      if (typeof value === "string")
        return value.length > URI_CHARS_MAX ? `is longer than ${URI_CHARS_MAX} characters` : undefined;
      return level === "inner" ? "must be a URI" : undefined;
    case "$anchor":
    case "$dynamicAnchor":
      if (dialect === "draft-07" || (typeof value === "string" && ANCHOR.test(value))) return undefined;
      return "must be a name of letters, digits and _ . - that begins with a letter or _";
    case "$schema":
      if (level !== "inner" || readDialect({ $schema: value }) === dialect) return undefined;
      return "must be the draft that the root names: a schema has one draft";
    // The compiler would make an asynchronous validator, whose promise every caller takes for true.
    case "$async":
      return "is not a keyword of JSON Schema";
    case "__proto__":
      return "is not a usable name";
    case "type":
      return level === "typed root" || isType(value)
        ? undefined
        : `must be one of ${TYPES.join(", ")}, or a list of them`;
    default:
      return undefined;
  }
}

const ANCHOR = /^[A-Za-z_][\w.:-]*$/;

function canBeDecoded(pointer: string): boolean {
  try {
    decodeURIComponent(pointer);
    return true;
  } catch {
    return false;
  }
}

function isType(value: Json): boolean {
  const isOne = (name: Json): boolean => typeof name === "string" && TYPES.includes(name);
  return Array.isArray(value) ? value.length > 0 && value.every(isOne) : isOne(value);
}
