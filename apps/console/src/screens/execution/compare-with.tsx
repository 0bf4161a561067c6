import type { Execution } from "@bulkhead/client";
import { Link, useNavigate } from "@tanstack/react-router";
import type { FormEvent } from "react";
import { useRunsOf } from "../../data/executions.ts";
import { Button } from "../../design/button.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { Field, Refusal, TextInput } from "../../design/fields.tsx";
import { When } from "../../design/when.tsx";
import { duration } from "../../format/numbers.ts";
import { RunBadge } from "../../run/run-badge.tsx";

const RUNS_MAX = 12;

/** The other one of two to compare: the one that it replays, another run of the tool, or any by its id. */
export function CompareWith({ execution, onClose }: { execution: Execution; onClose: () => void }) {
  const { data = [], error } = useRunsOf(execution.toolId ?? execution.toolName, RUNS_MAX);
  const navigate = useNavigate();
  const others = data.filter(({ id }) => id !== execution.id);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const given = new FormData(event.currentTarget).get("id");
    const b = typeof given === "string" ? given.trim() : "";
    if (b !== "") void navigate({ to: "/executions/compare", search: { a: execution.id, b } });
  };
  return (
    <Dialog title="Compare with" onClose={onClose}>
      <form onSubmit={submit} className="flex items-end gap-2">
        <div className="min-w-0 flex-1">
          <Field label="An execution's id">
            {(tie) => (
              <TextInput
                {...tie}
                name="id"
                defaultValue={execution.replayOf}
                maxLength={64}
                placeholder="exe_…"
                spellCheck={false}
                className="font-mono"
              />
            )}
          </Field>
        </div>
        <Button type="submit" className="mb-5">
          Compare
        </Button>
      </form>
      <h3 className="mb-1 text-xs font-semibold text-ink-2">Other executions of this tool</h3>
      <Refusal error={error} />
      <ul className="flex flex-col">
        {others.map((other) => (
          <li key={other.id}>
            <Link
              to="/executions/compare"
              search={{ a: execution.id, b: other.id }}
              className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-md px-2 py-1.5 text-sm hover:bg-hover"
            >
              <RunBadge status={other.status} />
              <When at={other.createdAt} />
              <span className="text-ink-3">Version {other.toolVersion}</span>
              {other.durationMs !== undefined && (
                <span className="ml-auto text-ink-3 tabular-nums">{duration(other.durationMs)}</span>
              )}
            </Link>
          </li>
        ))}
        {others.length === 0 && error === null && (
          <li className="text-sm text-ink-3">There is no other run of it.</li>
        )}
      </ul>
    </Dialog>
  );
}
