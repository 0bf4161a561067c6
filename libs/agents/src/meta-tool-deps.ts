import type { ToolCatalogue } from "@bulkhead/core";
import type { ToolDeps } from "@bulkhead/tools";
import type { MetaToolGate } from "./meta-tool-gate.ts";

/** What the meta-tools work with: the registry, what there is in it, and who confirms. */
export type MetaToolDeps = ToolDeps & { catalogue: ToolCatalogue; metaToolGate: MetaToolGate };
