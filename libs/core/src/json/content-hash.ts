import { createHash } from "node:crypto";
import { canonicalJson } from "./canonical-json.ts";
import { definitionOf, type ToolDefinition } from "../tool/tool-definition.ts";

/** The SHA-256 of all that affects a run, in hex: equal exactly where two definitions run alike. */
export function contentHash(definition: ToolDefinition): string {
  const { services, permissions, ...others } = definitionOf(definition);
  // In the order in which creations store them; who reads them has another one.
  const rest = { ...others, permissions: permissions.toSorted() };
  // No services leave no trace: the hashes from before there were any stay true.
  const hashed = services.length === 0 ? rest : { ...rest, services };
  return createHash("sha256").update(canonicalJson(hashed)).digest("hex");
}
