/**
 * JSON in which the order of keys plays no part. Stored hashes were made with it, so its output must never change. It
 * recurses: only for values of bounded depth, such as a request body. A large object costs as much as JSON.stringify plus
 * sorting its names.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "";
  if (Array.isArray(value)) return listJson(value);
  const fields = value as Record<string, unknown>;
  const names = Object.keys(fields).sort();
  let json = "{";
  for (let i = 0; i < names.length; i += 1) {
    const name = names[i] as string;
    json += `${i > 0 ? "," : ""}${JSON.stringify(name)}:${canonicalJson(fields[name])}`;
  }
  return `${json}}`;
}

function listJson(list: readonly unknown[]): string {
  let json = "[";
  for (let i = 0; i < list.length; i += 1) json += (i > 0 ? "," : "") + canonicalJson(list[i]);
  return `${json}]`;
}
