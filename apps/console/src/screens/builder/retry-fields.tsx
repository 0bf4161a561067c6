import { useId } from "react";
import { Field, Toggle } from "../../design/fields.tsx";
import { JsonField, NumberField } from "../tool/test/typed-field.tsx";
import type { Bench } from "./bench.ts";
import type { Draft } from "./draft.ts";
import { Group } from "./group.tsx";
import { Fault } from "./fault.tsx";
import { faultOf } from "./problems.ts";

type Retry = NonNullable<Draft["retry"]>;

const FIRST: Retry = { attempts: 3, backoffMs: 1_000, on: ["tool.threw"] };

const isRetry = (value: unknown): value is Retry =>
  typeof value === "object" && value !== null && "attempts" in value && typeof value.attempts === "number";

/** When a run that ended badly is tried again. */
export function RetryFields({ bench: { draft, set, problems } }: { bench: Bench }) {
  const id = useId();
  const { retry } = draft;
  return (
    <div className="flex flex-col gap-3">
      <Toggle
        label="Try a run again that ended badly"
        isOn={retry !== undefined}
        onTurn={(isOn) => set({ retry: isOn ? FIRST : undefined })}
      />
      {retry !== undefined && (
        <div className="border-l border-line pl-4">
          <Fault words={faultOf(problems, "retry")} />
          <Group title="Retries">
            <Field label="Tries in all" hint="The first one included.">
              {(tie) => (
                <NumberField
                  {...tie}
                  value={retry.attempts}
                  change={(next) => typeof next === "number" && set({ retry: { ...retry, attempts: next } })}
                />
              )}
            </Field>
            <Field label="First pause" hint="Milliseconds; each further one is twice as long.">
              {(tie) => (
                <NumberField
                  {...tie}
                  value={retry.backoffMs}
                  change={(next) => set({ retry: { ...retry, backoffMs: next as number | undefined } })}
                />
              )}
            </Field>
          </Group>
          <label htmlFor={id} className="mt-3 mb-1 block text-xs text-ink-2">
            All of it, as JSON: also factor, maxMs, jitter, delaysMs, and the error codes in on
          </label>
          <JsonField id={id} value={retry} change={(next) => isRetry(next) && set({ retry: next })} />
        </div>
      )}
    </div>
  );
}
