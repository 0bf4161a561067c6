import { Field, Select } from "../../design/fields.tsx";
import { NumberField } from "../tool/test/typed-field.tsx";
import type { Bench } from "./bench.ts";
import type { Draft } from "./draft.ts";
import { Group } from "./group.tsx";
import { faultOf } from "./problems.ts";

type Retention = NonNullable<Draft["retention"]>;

const PARTS: readonly (readonly [part: keyof Retention, name: string])[] = [
  ["arguments", "Arguments"],
  ["result", "Results"],
  ["events", "Logs"],
];
const DAYS_FIRST = 7;

/** How long what runs leave is kept. */
export function RetentionFields({ bench: { draft, set, problems } }: { bench: Bench }) {
  const put = (part: keyof Retention, value: Retention[keyof Retention]): void => {
    const next = Object.entries({ ...draft.retention, [part]: value }).filter(([, one]) => one !== undefined);
    set({ retention: next.length === 0 ? undefined : Object.fromEntries(next) });
  };
  return (
    <Group title="Kept after a run">
      {PARTS.map(([part, name]) => {
        const value = draft.retention?.[part];
        return (
          <Field key={part} label={name} fault={faultOf(problems, `retention.${part}`)}>
            {(tie) => (
              <span className="flex items-center gap-2">
                <Select
                  {...tie}
                  className="min-w-0 flex-1"
                  value={typeof value === "number" ? "days" : (value ?? "")}
                  onChange={({ target }) =>
                    put(part, ({ none: "none", days: DAYS_FIRST } as const)[target.value as "none" | "days"])
                  }
                >
                  <option value="">as the tenant&apos;s settings say</option>
                  <option value="none">not at all</option>
                  <option value="days">so many days</option>
                </Select>
                {typeof value === "number" && (
                  <span className="w-20 shrink-0">
                    <NumberField
                      id={`${tie.id}-days`}
                      aria-label={`Days that ${name.toLowerCase()} are kept`}
                      value={value}
                      change={(next) => put(part, typeof next === "number" ? next : DAYS_FIRST)}
                    />
                  </span>
                )}
              </span>
            )}
          </Field>
        );
      })}
    </Group>
  );
}
