import { type Execution, hasEnded } from "@bulkhead/client";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { wordsOf } from "../../data/api.ts";
import { type ExecutionAction, useExecutionAction, useReplay } from "../../data/execution-actions.ts";
import { useMayRun, useMayWrite } from "../../data/session.ts";
import { Button } from "../../design/button.tsx";
import { Confirm } from "../../design/confirm.tsx";
import { Ban, ChevronDown, GitCompareArrows, Pencil, RotateCcw, Trash } from "../../design/icons.tsx";
import { Menu } from "../../design/menu.tsx";
import { notify } from "../../design/notices.tsx";
import { CompareWith } from "./compare-with.tsx";
import { ReplayEdited } from "./replay-edited.tsx";

type Asking = "delete" | "edit" | "compare" | "cancel";

const QUESTIONS = {
  cancel: {
    title: "Cancel this execution?",
    does: "Cancel the execution",
    about: "What runs is stopped where it is; what it has done outside stays done.",
  },
  delete: {
    title: "Delete this execution?",
    does: "Delete",
    about:
      "Its arguments, result, events and deliveries are gone for good. What it used stays in the usage, and the audit log keeps who did what.",
  },
} as const;

/** What a person may do to one execution. */
export function ExecutionActions({ execution }: { execution: Execution }) {
  const { id, status, toolId, erased } = execution;
  const [asking, setAsking] = useState<Asking | null>(null);
  const action = useExecutionAction();
  const replay = useReplay();
  const navigate = useNavigate();
  const mayRun = useMayRun();
  const mayWrite = useMayWrite();
  const isOver = hasEnded(status);
  const open = (executionId: string): void =>
    void navigate({ to: "/executions/$executionId", params: { executionId } });
  const close = (): void => setAsking(null);
  const run = (name: Extract<ExecutionAction, keyof typeof QUESTIONS>): void =>
    action.mutate(
      { action: name, ids: [id] },
      {
        onSuccess: ({ failed: [failed] }) => {
          close();
          if (failed !== undefined) return notify("bad", wordsOf(failed.error));
          notify("good", name === "delete" ? "The execution is deleted." : "The execution is cancelled.");
          if (name === "delete") void navigate({ to: "/executions" });
        },
      },
    );
  const again = (): void =>
    replay.mutate(id, {
      onSuccess: ({ executionId }) => open(executionId),
      onError: (error) => notify("bad", wordsOf(error)),
    });
  // A dry run and a script have no tool that could be called; erased arguments can't be changed.
  const mayEdit = mayRun && toolId !== null && erased?.includes("arguments") !== true;
  const items = [
    ...(mayEdit
      ? [{ name: "Replay with other arguments…", icon: Pencil, onChoose: () => setAsking("edit") }]
      : []),
    { name: "Compare with…", icon: GitCompareArrows, onChoose: () => setAsking("compare") },
    ...(mayWrite && isOver ? [{ name: "Delete…", icon: Trash, onChoose: () => setAsking("delete") }] : []),
  ];
  return (
    <>
      {mayRun && !isOver && (
        <Button icon={Ban} look="danger" onClick={() => setAsking("cancel")}>
          Cancel
        </Button>
      )}
      {mayRun && isOver && (
        <Button
          icon={RotateCcw}
          isBusy={replay.isPending}
          title="Makes the call again, with the same arguments, by the tool as it is now"
          onClick={again}
        >
          Replay
        </Button>
      )}
      <Menu label="More to do" icon={ChevronDown} items={items}>
        More
      </Menu>
      {(asking === "cancel" || asking === "delete") && (
        <Confirm
          title={QUESTIONS[asking].title}
          does={QUESTIONS[asking].does}
          isBusy={action.isPending}
          onConfirm={() => run(asking)}
          onClose={close}
        >
          {QUESTIONS[asking].about}
        </Confirm>
      )}
      {asking === "edit" && <ReplayEdited execution={execution} onClose={close} onDone={open} />}
      {asking === "compare" && <CompareWith execution={execution} onClose={close} />}
    </>
  );
}
