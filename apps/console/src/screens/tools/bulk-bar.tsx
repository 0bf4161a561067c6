import type { Tool } from "@bulkhead/client";
import { useState } from "react";
import { wordsOf } from "../../data/api.ts";
import { exportTools } from "../../data/export-tools.ts";
import { useMayWrite } from "../../data/session.ts";
import { type ToolAction, type ToolWork, useToolAction } from "../../data/tools.ts";
import { Button } from "../../design/button.tsx";
import { Confirm } from "../../design/confirm.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { Download, Power, Trash } from "../../design/icons.tsx";
import { notify } from "../../design/notices.tsx";
import { SelectionBar } from "../../design/selection-bar.tsx";
import type { Selected } from "../../design/use-selection.ts";
import { Words } from "../../design/words.tsx";
import { count } from "../../format/numbers.ts";
import { DONE_WORDS, toolsInWords } from "./tool-words.ts";

/** What can be done to all selected tools at once, how far it is, and for which it failed; those stay selected. */
export function BulkBar({ selected }: { selected: Selected<Tool> }) {
  const tools = [...selected.seen, ...selected.unseen];
  const action = useToolAction();
  const mayWrite = useMayWrite();
  const [isDeleting, setDeleting] = useState(false);
  const [failed, setFailed] = useState<ToolWork["failed"]>([]);
  const run = (name: ToolAction): void =>
    action.mutate(
      { action: name, tools },
      {
        onSuccess: (faults) => {
          setDeleting(false);
          setFailed(faults);
          const done = tools.length - faults.length;
          if (done > 0) notify("good", `${toolsInWords(done)} ${DONE_WORDS[name]}.`);
          if (faults.length > 0 || name === "delete")
            selected.keep(new Set(faults.map(({ tool }) => tool.id)));
        },
      },
    );
  const isBusy = (name: ToolAction): boolean => action.isPending && action.variables.action === name;
  if (tools.length === 0 && failed.length === 0) return null;
  return (
    <SelectionBar
      label="Selected tools"
      selected={selected}
      nameOf={({ name }) => <span className="font-mono">{name}</span>}
      says={
        action.isPending && action.work !== null
          ? `${count(action.work.done)} of ${count(action.work.of)} done`
          : undefined
      }
    >
      {mayWrite && (
        <>
          <Button
            icon={Power}
            isBusy={isBusy("enable")}
            disabled={action.isPending}
            onClick={() => run("enable")}
          >
            Enable
          </Button>
          <Button isBusy={isBusy("disable")} disabled={action.isPending} onClick={() => run("disable")}>
            Disable
          </Button>
        </>
      )}
      <ExportButton tools={tools} />
      {mayWrite && (
        <Button look="danger" icon={Trash} disabled={action.isPending} onClick={() => setDeleting(true)}>
          Delete
        </Button>
      )}
      {isDeleting && (
        <Confirm
          title={`Delete ${toolsInWords(tools.length)}?`}
          does={`Delete ${count(tools.length)}`}
          isBusy={action.isPending}
          onClose={() => setDeleting(false)}
          onConfirm={() => run("delete")}
        >
          They and their versions are gone for good; their schedules are paused. Executions stay in the list.
          Export them first if you may want them back.
          {selected.unseen.length > 0 &&
            ` ${count(selected.unseen.length)} of them ${selected.unseen.length === 1 ? "is" : "are"} not in the list that you see.`}
        </Confirm>
      )}
      {failed.length > 0 && <Failures failed={failed} onClose={() => setFailed([])} />}
    </SelectionBar>
  );
}

function ExportButton({ tools }: { tools: readonly Tool[] }) {
  const [isBusy, setBusy] = useState(false);
  const save = async (): Promise<void> => {
    setBusy(true);
    try {
      const files = await exportTools(tools);
      if (files > 1) notify("good", `${count(files)} zips: each is as much as one import takes.`);
    } catch (error) {
      notify("bad", `The tools could not be exported: ${wordsOf(error)}`);
    }
    setBusy(false);
  };
  return (
    <Button icon={Download} isBusy={isBusy} onClick={() => void save()}>
      Export
    </Button>
  );
}

const Failures = ({ failed, onClose }: { failed: ToolWork["failed"]; onClose: () => void }) => (
  <Dialog title={`It failed for ${toolsInWords(failed.length)}`} onClose={onClose}>
    <ul className="flex flex-col gap-2 text-sm">
      {failed.map(({ tool, error }) => (
        <li key={tool.id}>
          <span className="block font-mono font-semibold break-all">{tool.name}</span>
          <span className="text-ink-2">
            <Words text={wordsOf(error)} />
          </span>
        </li>
      ))}
    </ul>
  </Dialog>
);
