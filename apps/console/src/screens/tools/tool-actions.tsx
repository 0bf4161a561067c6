import type { Tool } from "@bulkhead/client";
import { Check, X } from "../../design/icons.tsx";
import { useMayAnswer } from "../../data/session.ts";
import { wordsOf } from "../../data/api.ts";
import { useToolAction, type ToolAction } from "../../data/tools.ts";
import { Button } from "../../design/button.tsx";
import { notify } from "../../design/notices.tsx";

/** The answer to a tool that waits for a person, from the list. */
export function ToolActions({ tool }: { tool: Tool }) {
  const action = useToolAction();
  if (!useMayAnswer()) return null;
  const run = (name: ToolAction): void =>
    action.mutate(
      { action: name, tools: [tool] },
      {
        onSuccess: (failed) =>
          failed.forEach(({ error }) => notify("bad", `${tool.name}: ${wordsOf(error)}`)),
      },
    );
  const isBusy = (name: ToolAction): boolean => action.isPending && action.variables.action === name;
  return (
    <span className="relative z-1 flex gap-1.5">
      <Button
        icon={Check}
        isBusy={isBusy("approve")}
        aria-label={`Approve ${tool.name}`}
        onClick={() => run("approve")}
        className="h-7! px-2!"
      >
        Approve
      </Button>
      <Button
        look="danger"
        icon={X}
        isBusy={isBusy("reject")}
        aria-label={`Reject ${tool.name}`}
        onClick={() => run("reject")}
        className="h-7! px-2!"
      >
        Reject
      </Button>
    </span>
  );
}
