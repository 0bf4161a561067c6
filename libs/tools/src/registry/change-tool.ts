import type { TenantPrincipal, Tool } from "@bulkhead/core";
import { changeInTurn } from "./change-in-turn.ts";
import { getTool } from "./read-tools.ts";
import { requireSeen, type SeenAs } from "./seen-state.ts";
import type { ToolDeps } from "./tool-deps.ts";

/**
 * Changes the tool that `ref`, an id or a name, stands for when the change arrives: every further look is for its id, so that
 * another tool which takes the name meanwhile is none of its business. `change` gets the tool in a state that the caller has
 * seen, and throws `changedMeanwhile` where it has left it. Throws `tool.not_found`, `tool.precondition_failed` and
 * `tool.changed`.
 */
export const changeTool = <T>(
  deps: Pick<ToolDeps, "tools">,
  principal: TenantPrincipal,
  { ref, seen }: { ref: string; seen: SeenAs },
  change: (current: Tool) => Promise<T>,
): Promise<T> => {
  const look = async (idOrName: string): Promise<Tool> => {
    const tool = await getTool(deps, principal, idOrName);
    requireSeen(tool, seen);
    return tool;
  };
  return changeInTurn(
    {
      find: () => look(ref),
      findAgain: ({ id }) => look(id),
      keyOf: ({ tenantId, id }) => JSON.stringify([tenantId, id]),
      kind: "tool",
      isStateNamed: seen !== null,
    },
    change,
  );
};
