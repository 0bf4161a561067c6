import { createHash } from "node:crypto";
import { canonicalJson } from "./canonical-json.ts";
import { definitionOf, type ToolDefinition } from "../tool/tool-definition.ts";

/** The SHA-256 of all that affects a run, in hex: equal exactly where two definitions run alike. */
export function contentHash(definition: ToolDefinition): string {
  const { services, ...rest } = definitionOf(definition);
  // No services leave no trace: the hashes from before there were any stay true.
  const hashed = services.length === 0 ? rest : { ...rest, services };
  return createHash("sha256").update(canonicalJson(hashed)).digest("hex");
}
