import { canonicalJson, type Tool } from "@bulkhead/core";
import { createHash } from "node:crypto";
import type { CreateToolRequest } from "./create-tool.ts";
import { withoutSource } from "./tool-source.ts";

/** The fields of a tool that a creation says, beside those that stay as it was created: its name, owner and maker. */
export const SAID = [
  "alias",
  "title",
  "annotations",
  "description",
  "category",
  "parameters",
  "code",
  "language",
  "outputSchema",
  "permissions",
  "allowedHosts",
  "idempotent",
  "applyDefaults",
  "retry",
  "dispatch",
  "retention",
  "requiresApproval",
  "approval",
  "metadata",
  "requiredApiKeys",
  "requiredConfigServices",
] as const satisfies readonly (keyof CreateToolRequest & keyof Tool)[];

/** Those that the hash of what runs stands for. */
const RUN = ["parameters", "code", "language", "outputSchema", "permissions", "allowedHosts"] as const;

type Beside = Exclude<(typeof SAID)[number], (typeof RUN)[number]>;
const BESIDE = SAID.filter((field): field is Beside => !(RUN as readonly string[]).includes(field));

/** The parts of a tool that are hashed. */
type HashedRecord = Pick<Tool, "contentHash" | "name" | "agentId" | "createdBy" | Beside>;

/**
 * The SHA-256, in hex, of all that a creation says of a tool: equal where a folder of the one would make the other. Status,
 * version and usage are not in it; of a version that waits neither, as an export holds the one that serves.
 */
export function recordHashOf(tool: HashedRecord): string {
  const { contentHash, name, agentId, createdBy } = tool;
  const said = { ...tool, metadata: withoutSource(tool.metadata) };
  const beside = Object.fromEntries(BESIDE.map((field) => [field, said[field]]));
  return createHash("sha256")
    .update(canonicalJson({ contentHash, name, agentId, createdBy, ...beside }))
    .digest("hex");
}
