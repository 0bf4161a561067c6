import type { Json } from "@bulkhead/core";

/**
 * A value as it is bound: texts, numbers and booleans as PostgreSQL reads them, an array as an array of PostgreSQL's, an object as
 * JSON. An array that is to be JSON comes as a text.
 */
export function bindValue(value: Json): string | null {
  if (value === null) return null;
  if (Array.isArray(value)) return arrayText(value);
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

const arrayText = (items: readonly Json[]): string => `{${items.map(itemText).join(",")}}`;

function itemText(item: Json): string {
  if (item === null) return "NULL";
  if (Array.isArray(item)) return arrayText(item);
  const text = typeof item === "object" ? JSON.stringify(item) : String(item);
  return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}
