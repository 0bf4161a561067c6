import type { Clock, SchemaChecker, SignalBus, ToolStore } from "@bulkhead/domain";

/** What the registry's use cases work with. */
export interface ToolDeps {
  tools: ToolStore;
  schemas: Pick<SchemaChecker, "checkSchema">;
  bus: Pick<SignalBus, "publish">;
  clock: Clock;
}
