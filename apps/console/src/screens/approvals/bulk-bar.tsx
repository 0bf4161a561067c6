import type { Approval } from "@bulkhead/client";
import { useState } from "react";
import { type Answer, useAnswer } from "../../data/approvals.ts";
import { Button } from "../../design/button.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { Check, X } from "../../design/icons.tsx";
import type { Selected } from "../../design/use-selection.ts";
import { Calls } from "./calls.tsx";
import { Deny } from "./deny.tsx";
import { tellAnswered } from "./tell-answered.ts";

/** Answers several calls together, after their count and their arguments were shown; what waits no more is not among them. */
export function BulkBar({ selected }: { selected: Selected<Approval> }) {
  const { seen: chosen, isAll, toggleAll, keep } = selected;
  const [asking, setAsking] = useState<"once" | "deny">();
  const answer = useAnswer(tellAnswered);
  const close = (): void => setAsking(undefined);
  const give = (said: Answer): void =>
    answer.mutate(
      { approvals: chosen, answer: said },
      {
        onSuccess: (failed) => {
          if (failed.length === 0) close();
          // What it failed for stays selected, and what was written stays, to be tried again.
          keep(new Set(failed.map(({ approval }) => approval.id)));
        },
      },
    );
  return (
    <div className="sticky top-12 z-10 flex min-h-12 items-center gap-2 border-b border-line bg-ground/95 px-4 py-2 md:top-0">
      <label className="flex items-center gap-3 text-sm text-ink-2">
        <input
          type="checkbox"
          checked={isAll}
          ref={(box) => {
            if (box !== null) box.indeterminate = chosen.length > 0 && !isAll;
          }}
          onChange={toggleAll}
          className="size-4 accent-accent"
        />
        {chosen.length === 0 ? "Select all" : `${chosen.length.toLocaleString()} selected`}
      </label>
      {chosen.length > 0 && (
        <span className="ml-auto flex gap-1.5">
          <Button icon={Check} className="h-7 px-2" onClick={() => setAsking("once")}>
            Allow once
          </Button>
          <Button look="danger" icon={X} className="h-7 px-2" onClick={() => setAsking("deny")}>
            Deny
          </Button>
        </span>
      )}
      {asking === "once" && (
        <AllowAll chosen={chosen} isBusy={answer.isPending} give={give} onClose={close} />
      )}
      {asking === "deny" && <Deny approvals={chosen} isBusy={answer.isPending} give={give} onClose={close} />}
    </div>
  );
}

interface AllowAllProps {
  chosen: readonly Approval[];
  isBusy: boolean;
  give: (answer: Answer) => void;
  onClose: () => void;
}

const AllowAll = ({ chosen, isBusy, give, onClose }: AllowAllProps) => {
  const calls = chosen.length === 1 ? "1 call" : `${chosen.length.toLocaleString()} calls`;
  return (
    <Dialog
      title={`Allow ${calls} once?`}
      onClose={onClose}
      actions={
        <>
          <Button data-first onClick={onClose}>
            Cancel
          </Button>
          <Button look="primary" isBusy={isBusy} onClick={() => give({ kind: "once" })}>
            Allow {calls}
          </Button>
        </>
      }
    >
      <Calls approvals={chosen} />
    </Dialog>
  );
};
