const REF_PREFIX = "#/components/schemas/";

/** An OpenAPI document, or what of one matters here. */
interface Document {
  components?: { schemas?: Record<string, unknown> };
}

/** The document without the named schemas that nothing refers to, except others of them. */
export function dropUnreferenced<D extends object>(document: D): D {
  const { components, ...rest } = document as Document;
  const schemas = components?.schemas ?? {};
  const wanted = new Set<string>();
  const left: unknown[] = [rest];
  while (left.length > 0) {
    for (const name of refsIn(left.pop())) {
      if (wanted.has(name)) continue;
      wanted.add(name);
      left.push(schemas[name]);
    }
  }
  const kept = Object.entries(schemas).filter(([name]) => wanted.has(name));
  return { ...document, components: { ...components, schemas: Object.fromEntries(kept) } };
}

/** Names of the schemas that `$ref`s in it name. */
function refsIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  const below = Object.values(value).flatMap(refsIn);
  const ref: unknown = "$ref" in value ? value.$ref : undefined;
  if (typeof ref !== "string" || !ref.startsWith(REF_PREFIX)) return below;
  return [ref.slice(REF_PREFIX.length), ...below];
}
