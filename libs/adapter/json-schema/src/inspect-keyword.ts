import type { Json } from "@bulkhead/domain";
import type { Dialect } from "./dialect.ts";
import { buildFault } from "./fault.ts";
import type { Inspection } from "./inspect-schema.ts";
import { COSTLY, STRING_READERS, TYPES } from "./vocabulary.ts";

/** Where a schema stands: inside another, at the root, or at a root whose `type` was looked at already. */
export type Level = "inner" | "root" | "typed root";

/** Notes what one keyword costs, and refuses what can't be checked here. */
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
  if (keyword === "$ref" && typeof value === "string") found.references.push({ path, text: value });
  const refusal = refuse(keyword, value, level, found.dialect);
  if (refusal !== undefined) found.faults.push(buildFault(path, refusal));
}

function refuse(keyword: string, value: Json, level: Level, dialect: Dialect): string | undefined {
  switch (keyword) {
    case "$ref":
    case "$dynamicRef":
      if (typeof value !== "string" || !value.startsWith("#"))
        return "must point into this schema (#/$defs/…): other documents are never loaded";
      return canBeDecoded(value) ? undefined : "has a % that begins no escape; write %25 for the sign itself";
    case "$recursiveRef":
    case "$recursiveAnchor":
      if (dialect === "2019-09") return undefined;
      return "is not part of this draft: use $ref";
    case "$id":
    case "$schema":
      return level === "inner" ? "is only allowed at the root" : undefined;
    // The compiler would make a validator that answers with a promise, which every caller takes for true.
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
