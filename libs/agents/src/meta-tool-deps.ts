import type { ProvidedTool, ToolCatalogue } from "@bulkhead/core";
import type { ToolDeps } from "@bulkhead/tools";
import type { ServiceNames } from "./definitions/tell-services.ts";
import type { MetaToolGate } from "./meta-tool-gate.ts";

/** The dependencies of the meta-tools: the registry, its catalogue, and the gate. */
export type MetaToolDeps = ToolDeps & { catalogue: ToolCatalogue; metaToolGate: MetaToolGate };

/** What finding tools needs beside. */
export interface BuiltInDeps extends ServiceNames {
  /** The tools that come with the platform and work here. */
  builtIns: readonly ProvidedTool[];
}
