import { hasEnded } from "@bulkhead/client";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { wordsOf } from "../../data/api.ts";
import { useExecutionAction } from "../../data/execution-actions.ts";
import { Button } from "../../design/button.tsx";
import { Confirm } from "../../design/confirm.tsx";
import { Ban, GitCompareArrows, RotateCcw, X } from "../../design/icons.tsx";
import { notify } from "../../design/notices.tsx";
import { executionsOf } from "../../run/execution-words.ts";
import type { Chosen } from "./use-chosen.ts";

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
    about: "Each call is made again with its arguments, as a new execution that names the old one.",
  },
} as const;

type Doing = keyof typeof WORDS;

/** What can be done to the chosen executions; how many of them it is done to is said before. */
export function SelectionBar({ chosen: { chosen, choose } }: { chosen: Chosen }) {
  const [doing, setDoing] = useState<Doing | null>(null);
  const action = useExecutionAction();
  const navigate = useNavigate();
  if (chosen.size === 0) return null;
  const rows = [...chosen.values()];
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
          choose([]);
        },
      },
    );
  const [a, b] = rows;
  const compare = (): void => {
    if (a !== undefined && b !== undefined)
      void navigate({ to: "/executions/compare", search: { a: a.id, b: b.id } });
  };
  return (
    <div
      role="region"
      aria-label="Selected executions"
      className="sticky bottom-4 z-20 mx-auto mb-4 flex max-w-[calc(100%-2rem)] flex-wrap items-center justify-center gap-2 rounded-lg border border-line bg-raised p-2 pl-3 shadow-pop"
    >
      <span className="text-sm font-medium tabular-nums">{chosen.size.toLocaleString()} selected</span>
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
      {chosen.size === 2 && (
        <Button icon={GitCompareArrows} onClick={compare}>
          Compare
        </Button>
      )}
      <Button look="quiet" icon={X} aria-label="Select none" title="Select none" onClick={() => choose([])} />
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
    </div>
  );
}
