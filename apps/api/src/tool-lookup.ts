import { RevocableCache } from "@bulkhead/cache";
import type { TenantPrincipal, Tool, ToolStore } from "@bulkhead/domain";
import { noSuchTool } from "@bulkhead/registry";

/** Finds the tool of a call by id or name; answers from memory while nobody changed it. */
export class ToolLookup {
  readonly #tools: Pick<ToolStore, "find">;
  readonly #cache: RevocableCache<Tool>;

  constructor(tools: Pick<ToolStore, "find">, cache: RevocableCache<Tool>) {
    this.#tools = tools;
    this.#cache = cache;
  }

  /** Throws `tool.not_found`. */
  async find({ tenantId }: TenantPrincipal, ref: string): Promise<Tool> {
    const tool = await this.#cache.get(`${tenantId}/${ref}`, async () => {
      const found = await this.#tools.find(tenantId, ref);
      return found && { value: found, tags: [found.id] };
    });
    if (!tool) throw noSuchTool();
    return tool;
  }
}
