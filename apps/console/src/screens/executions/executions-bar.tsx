import { type ExecutionSummary, hasEnded } from "@bulkhead/client";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { wordsOf } from "../../data/api.ts";
import { useExecutionAction } from "../../data/execution-actions.ts";
import { Button } from "../../design/button.tsx";
import { Confirm } from "../../design/confirm.tsx";
import { Ban, GitCompareArrows, RotateCcw } from "../../design/icons.tsx";
import { notify } from "../../design/notices.tsx";
import { SelectionBar } from "../../design/selection-bar.tsx";
import type { Selected } from "../../design/use-selection.ts";
import { When } from "../../design/when.tsx";
import { Words } from "../../design/words.tsx";
import { executionsOf } from "../../run/execution-words.ts";
import { RunBadge } from "../../run/run-badge.tsx";

const WORDS = {
  cancel: {
    title: "Cancel",
    left: "ended already, and stay as they are.",
    done: "Cancelled",
    about: "What runs is stopped where it is; what it has done outside stays done.",
  },
  replay: {
    title: "Replay",
    left: "have not ended, and are left out.",
    done: "Replayed",
    about:
      "Each call is made again with its arguments, by its tool as it is now, as a new execution that names the old one.",
  },
} as const;

type Doing = keyof typeof WORDS;

/** What can be done to the selected executions; how many of them it is done to is said before. */
export function ExecutionsBar({ selected }: { selected: Selected<ExecutionSummary> }) {
  const [doing, setDoing] = useState<Doing | null>(null);
  const action = useExecutionAction();
  const navigate = useNavigate();
  const rows = [...selected.seen, ...selected.unseen];
  if (rows.length === 0) return null;
  const ids = {
    cancel: rows.filter(({ status }) => !hasEnded(status)).map(({ id }) => id),
    replay: rows.filter(({ status }) => hasEnded(status)).map(({ id }) => id),
  };
  const run = (name: Doing): void =>
    action.mutate(
      { action: name, ids: ids[name] },
      {
        onSuccess: ({ done, failed }) => {
          if (done > 0) notify("good", `${WORDS[name].done} ${executionsOf(done)}.`);
          const [first] = failed;
          if (first !== undefined)
            notify("bad", `Not done for ${executionsOf(failed.length)}: ${wordsOf(first.error)}`);
          setDoing(null);
          selected.clear();
        },
      },
    );
  const [a, b] = rows;
  const compare = (): void => {
    if (a !== undefined && b !== undefined)
      void navigate({ to: "/executions/compare", search: { a: a.id, b: b.id } });
  };
  return (
    <SelectionBar
      label="Selected executions"
      selected={selected}
      nameOf={({ toolName, status, createdAt }) => (
        <span className="flex flex-wrap items-center gap-x-2">
          <span className="font-mono break-all">
            <Words text={toolName} />
          </span>
          <RunBadge status={status} />
          <span className="text-xs text-ink-2">
            <When at={createdAt} />
          </span>
        </span>
      )}
    >
      {ids.cancel.length > 0 && (
        <Button icon={Ban} onClick={() => setDoing("cancel")}>
          Cancel {ids.cancel.length.toLocaleString()}
        </Button>
      )}
      {ids.replay.length > 0 && (
        <Button icon={RotateCcw} onClick={() => setDoing("replay")}>
          Replay {ids.replay.length.toLocaleString()}
        </Button>
      )}
      {rows.length === 2 && (
        <Button icon={GitCompareArrows} onClick={compare}>
          Compare
        </Button>
      )}
      {doing !== null && (
        <Confirm
          title={`${WORDS[doing].title} ${executionsOf(ids[doing].length)}?`}
          does={`${WORDS[doing].title} ${ids[doing].length.toLocaleString()}`}
          isBusy={action.isPending}
          onConfirm={() => run(doing)}
          onClose={() => setDoing(null)}
        >
          {WORDS[doing].about}
          {rows.length > ids[doing].length &&
            ` ${(rows.length - ids[doing].length).toLocaleString()} of the selected ${WORDS[doing].left}`}
        </Confirm>
      )}
    </SelectionBar>
  );
}
