import type { Tool } from "@bulkhead/client";
import { useNavigate } from "@tanstack/react-router";
import { Pencil, Power, Trash } from "../../design/icons.tsx";
import { useState } from "react";
import { wordsOf } from "../../data/api.ts";
import { useMayWrite } from "../../data/session.ts";
import { useToolAction, type ToolAction } from "../../data/tools.ts";
import { Button } from "../../design/button.tsx";
import { Confirm } from "../../design/confirm.tsx";
import { Words } from "../../design/words.tsx";
import { ToolActions } from "../tools/tool-actions.tsx";

/** What a person may do to the whole tool. */
export function ToolSwitches({ tool }: { tool: Tool }) {
  const action = useToolAction();
  const navigate = useNavigate();
  const [isDeleting, setDeleting] = useState(false);
  if (!useMayWrite()) return null;
  const run = (name: ToolAction, then?: () => void): void =>
    action.mutate(
      { action: name, tools: [tool] },
      { onSuccess: (failed) => failed.length === 0 && then?.() },
    );
  const [failed] = action.data ?? [];
  return (
    <span className="flex flex-wrap items-center gap-2">
      {failed !== undefined && (
        <span role="alert" className="text-sm text-bad">
          <Words text={wordsOf(failed.error)} />
        </span>
      )}
      {tool.status === "pending_approval" && <ToolActions tool={tool} />}
      {tool.mcp === undefined && (
        <Button
          icon={Pencil}
          onClick={() => void navigate({ to: "/tools/$toolId/edit", params: { toolId: tool.id } })}
        >
          Edit
        </Button>
      )}
      {tool.status === "active" && (
        <Button icon={Power} isBusy={action.isPending} onClick={() => run("disable")}>
          Disable
        </Button>
      )}
      {tool.status === "disabled" && (
        <Button icon={Power} look="primary" isBusy={action.isPending} onClick={() => run("enable")}>
          Enable
        </Button>
      )}
      <Button
        icon={Trash}
        look="danger"
        aria-label={`Delete ${tool.name}`}
        onClick={() => setDeleting(true)}
      />
      {isDeleting && (
        <Confirm
          title={`Delete ${tool.name}?`}
          does="Delete"
          isBusy={action.isPending}
          onClose={() => setDeleting(false)}
          onConfirm={() => run("delete", () => void navigate({ to: "/tools" }))}
        >
          The tool and its versions are gone for good; its schedules are paused. Its executions stay in the
          list.
        </Confirm>
      )}
    </span>
  );
}
