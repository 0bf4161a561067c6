import { TOOL_NAME } from "@bulkhead/domain";

/**
 * The name itself where it is a tool's name, else the same in snake case: `fetch-products`, `fetchProducts` and
 * `Fetch Products` are all `fetch_products`. Null where no letter to begin with is left.
 */
export function toToolName(original: string): string | null {
  if (TOOL_NAME.test(original)) return original;
  const name = original
    .normalize("NFKD")
    .replaceAll(/\p{Mark}/gu, "")
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replaceAll(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replaceAll(/^[_0-9]+|_+$/g, "");
  return TOOL_NAME.test(name) ? name : null;
}
