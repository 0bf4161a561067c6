import type { Tool } from "@bulkhead/client";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { wordsOf } from "../../data/api.ts";
import { exportTools } from "../../data/export-tools.ts";
import { useMayAnswer, useMayWrite } from "../../data/session.ts";
import { type ToolAction, useToolAction } from "../../data/tools.ts";
import { Confirm } from "../../design/confirm.tsx";
import { Check, Copy, Download, Ellipsis, Pencil, Power, Trash, X } from "../../design/icons.tsx";
import { Menu } from "../../design/menu.tsx";
import { notify } from "../../design/notices.tsx";
import { waits } from "./tool-words.ts";

/** What can be done to one tool from where it is listed. */
export function ToolMenu({ tool }: { tool: Tool }) {
  const action = useToolAction();
  const navigate = useNavigate();
  const mayWrite = useMayWrite();
  const mayApprove = useMayAnswer();
  const [isDeleting, setDeleting] = useState(false);
  const run = (name: ToolAction): void =>
    action.mutate(
      { action: name, tools: [tool] },
      {
        onSuccess: (failed) =>
          failed.forEach(({ error }) => notify("bad", `${tool.name}: ${wordsOf(error)}`)),
        onSettled: () => setDeleting(false),
      },
    );
  const save = { name: "Export as zip", icon: Download, onChoose: () => void saveTool(tool) };
  const edit = {
    name: "Edit",
    icon: Pencil,
    onChoose: () => void navigate({ to: "/tools/$toolId/edit", params: { toolId: tool.id } }),
  };
  const copy = {
    name: "Make a copy",
    icon: Copy,
    onChoose: () => void navigate({ to: "/tools/new", search: { from: "tool", of: tool.id } }),
  };
  const writes = tool.mcp === undefined ? [edit, copy] : [];
  const enable = { name: "Enable", icon: Power, onChoose: () => run("enable") };
  const disable = { name: "Disable", icon: Power, onChoose: () => run("disable") };
  const remove = { name: "Delete…", icon: Trash, isDanger: true, onChoose: () => setDeleting(true) };
  const approve = { name: "Approve", icon: Check, onChoose: () => run("approve") };
  const reject = { name: "Reject", icon: X, onChoose: () => run("reject") };
  const answers = mayApprove && waits(tool) ? [approve, reject] : [];
  const turn = { active: [disable], disabled: [enable], pending_approval: [], rejected: [] }[tool.status];
  return (
    <span className="relative z-1">
      <Menu
        label={`More for ${tool.name}`}
        icon={Ellipsis}
        look="quiet"
        className="size-7!"
        items={mayWrite ? [...answers, ...writes, ...turn, save, remove] : [save]}
      />
      {isDeleting && (
        <Confirm
          title={`Delete ${tool.name}?`}
          does="Delete"
          isBusy={action.isPending}
          onClose={() => setDeleting(false)}
          onConfirm={() => run("delete")}
        >
          The tool and its versions are gone for good; its schedules are paused. Its executions stay in the
          list.
        </Confirm>
      )}
    </span>
  );
}

const saveTool = (tool: Tool): Promise<unknown> =>
  exportTools([tool]).catch((error: unknown) => notify("bad", `${tool.name}: ${wordsOf(error)}`));
