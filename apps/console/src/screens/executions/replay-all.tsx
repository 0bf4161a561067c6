import { useState } from "react";
import { wordsOf } from "../../data/api.ts";
import { useReplayAll, useReplayCount } from "../../data/execution-actions.ts";
import { filtersNow } from "../../data/executions.ts";
import { Button } from "../../design/button.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { Field, Refusal, Select, TextInput } from "../../design/fields.tsx";
import { RotateCcw } from "../../design/icons.tsx";
import { notify } from "../../design/notices.tsx";
import { Words } from "../../design/words.tsx";
import { askedOf, type ExecutionSearch, statusesOf } from "./execution-search.ts";
import { executionsOf, STATUS_LOOKS } from "../../run/execution-words.ts";

/** The ends that the API replays by. */
const ENDS = ["failed", "timed_out", "lost", "cancelled", "denied", "succeeded"] as const;
type End = (typeof ENDS)[number];
const LIMIT_MAX = 1_000;

/** Replays all that ended in one way in the period, tool and error that are looked at; how many there are is told first. */
export function ReplayAll({ search, onClose }: { search: ExecutionSearch; onClose: () => void }) {
  const [status, setStatus] = useState<End>(
    () => ENDS.find((end) => statusesOf(search).includes(end)) ?? "failed",
  );
  const [limit, setLimit] = useState(100);
  const replay = useReplayAll();
  // The period of this moment: what is counted is what is replayed.
  const [now] = useState(() => Date.now());
  const { tool, code, from, to } = filtersNow(askedOf(search), now);
  const end = to ?? new Date(now).toISOString();
  const asked = { status, tool, code, createdAfter: before(from), createdBefore: end };
  const counted = useReplayCount({ ...asked, limit: LIMIT_MAX });
  const count = counted.data;
  const many = Math.min(count ?? 0, limit);
  const run = (): void =>
    replay.mutate(
      { ...asked, limit },
      {
        onSuccess: ({ executions }) => {
          const refused = executions.flatMap((one) => ("error" in one ? [one.error.detail] : []));
          notify("good", `Replayed ${executionsOf(executions.length - refused.length)}.`);
          if (refused[0] !== undefined)
            notify("bad", `Refused for ${executionsOf(refused.length)}: ${refused[0]}`);
          onClose();
        },
      },
    );
  return (
    <Dialog
      title="Replay all"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look="primary"
            icon={RotateCcw}
            isBusy={replay.isPending}
            disabled={many === 0}
            onClick={run}
          >
            {many === 0 ? "Replay" : `Replay ${many.toLocaleString()}`}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <p className="text-sm text-ink-2">
          Of the period you are looking at
          {tool !== undefined && (
            <>
              , the tool <Words text={tool} />
            </>
          )}
          {code !== undefined && `, the error ${code}`}. Other filters do not count here. Each call is made
          again by its tool as it is now.
        </p>
        <div className="grid gap-x-4 gap-y-2 sm:grid-cols-2">
          <Field label="Ended as">
            {(tie) => (
              <Select
                {...tie}
                className="w-full"
                value={status}
                onChange={({ target }) => setStatus(ENDS.find((one) => one === target.value) ?? "failed")}
              >
                {ENDS.map((one) => (
                  <option key={one} value={one}>
                    {STATUS_LOOKS[one].name}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          <Field label="The newest" hint={`1 to ${LIMIT_MAX.toLocaleString()} at a time.`}>
            {(tie) => (
              <TextInput
                {...tie}
                type="number"
                min={1}
                max={LIMIT_MAX}
                value={limit}
                onChange={({ target }) =>
                  setLimit(Math.min(LIMIT_MAX, Math.max(1, Math.trunc(target.valueAsNumber) || 1)))
                }
              />
            )}
          </Field>
        </div>
        <p role="status" className="rounded-md bg-sunken px-3 py-2 text-sm">
          {counted.error !== null ? (
            <Words text={wordsOf(counted.error)} />
          ) : count === undefined ? (
            "Counting…"
          ) : (
            `${count === LIMIT_MAX ? "At least " : ""}${executionsOf(count)} can be replayed. Those that were before are left out.`
          )}
        </p>
        <Refusal error={replay.error} />
      </div>
    </Dialog>
  );
}

/** The API replays what was accepted later than a moment, and lists what was accepted then or later. */
const before = (from: string | undefined): string | undefined =>
  from === undefined ? undefined : new Date(Date.parse(from) - 1).toISOString();
