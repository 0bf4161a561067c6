import { useId } from "react";
import { Field, Select, TextInput, Toggle } from "../../design/fields.tsx";
import { Words } from "../../design/words.tsx";
import { isObject } from "../../format/json-object.ts";
import { JsonField, NumberField } from "../tool/test/typed-field.tsx";
import type { Bench } from "./bench.ts";
import type { Draft } from "./draft.ts";
import { Group } from "./group.tsx";
import { faultOf } from "./problems.ts";
import { RetentionFields } from "./retention-fields.tsx";
import { RetryFields } from "./retry-fields.tsx";

/** What most tools say nothing of. */
export const MoreFields = ({ bench }: { bench: Bench }) => (
  <details className="group rounded-lg border border-line bg-surface" open={saysMore(bench.draft)}>
    <summary className="cursor-pointer px-4 py-2.5 text-sm font-semibold">
      More
      <span className="ml-2 text-xs font-normal text-ink-3">
        Names for models, hints, repeating, rates, what is kept, metadata
      </span>
    </summary>
    <div className="flex flex-col gap-6 border-t border-line p-4">
      <Whose bench={bench} />
      <Hints bench={bench} />
      <Calls bench={bench} />
      <RetryFields bench={bench} />
      <RetentionFields bench={bench} />
      <Metadata bench={bench} />
    </div>
  </details>
);

const MORE = ["alias", "agentId", "annotations", "applyDefaults", "retry", "dispatch", "retention"] as const;
const saysMore = (draft: Draft): boolean => MORE.some((field) => draft[field] !== undefined);

function Whose({ bench: { draft, set, problems, isThere } }: { bench: Bench }) {
  return (
    <Group title="Names and owner">
      <Field
        label="Name for models"
        hint="Where it is not the tool's name, such as getIssue."
        fault={faultOf(problems, "alias")}
      >
        {(tie) => (
          <TextInput
            {...tie}
            spellCheck={false}
            className="font-mono"
            value={draft.alias ?? ""}
            onChange={({ target }) => set({ alias: target.value })}
          />
        )}
      </Field>
      {isThere ? (
        <div className="text-sm">
          <p className="font-medium">Owner</p>
          <p className="mt-1.5 text-ink-2">
            <Words
              text={draft.agentId === undefined ? "The tenant, for all agents" : `Agent ${draft.agentId}`}
            />
          </p>
        </div>
      ) : (
        <Field
          label="Agent that owns it"
          hint="For good. Left out: the tenant, for all agents."
          fault={faultOf(problems, "agentId")}
        >
          {(tie) => (
            <TextInput
              {...tie}
              spellCheck={false}
              value={draft.agentId ?? ""}
              onChange={({ target }) => set({ agentId: target.value })}
            />
          )}
        </Field>
      )}
    </Group>
  );
}

type Hint = keyof NonNullable<Draft["annotations"]>;

const HINTS: readonly (readonly [hint: Hint, words: string, none: string])[] = [
  ["readOnlyHint", "Changes nothing", "not said"],
  ["destructiveHint", "What it changes can be lost", "not said"],
  ["idempotentHint", "Safe to repeat", "as below"],
  ["openWorldHint", "Reaches the outside", "by its permissions"],
];

/** Yes, no, or nothing said. */
const CHOICES = { true: true, false: false } as const;

const Choice = ({
  label,
  none,
  value,
  change,
}: {
  label: string;
  none: string;
  value: boolean | undefined;
  change: (next: boolean | undefined) => void;
}) => (
  <Field label={label}>
    {(tie) => (
      <Select
        {...tie}
        value={value === undefined ? "" : String(value)}
        onChange={({ target }) => change(CHOICES[target.value as keyof typeof CHOICES])}
      >
        <option value="">{none}</option>
        <option value="true">yes</option>
        <option value="false">no</option>
      </Select>
    )}
  </Field>
);

function Hints({ bench: { draft, set } }: { bench: Bench }) {
  const put = (hint: Hint, value: boolean | undefined): void => {
    const next = Object.entries({ ...draft.annotations, [hint]: value }).filter(
      ([, one]) => one !== undefined,
    );
    set({ annotations: next.length === 0 ? undefined : Object.fromEntries(next) });
  };
  return (
    <Group title="Hints for MCP clients, on which no decision depends">
      {HINTS.map(([hint, words, none]) => (
        <Choice
          key={hint}
          label={words}
          none={none}
          value={draft.annotations?.[hint]}
          change={(next) => put(hint, next)}
        />
      ))}
    </Group>
  );
}

function Calls({ bench: { draft, set, problems } }: { bench: Bench }) {
  const { dispatch } = draft;
  const put = (change: Partial<NonNullable<Draft["dispatch"]>>): void => {
    const next = Object.entries({ ...dispatch, ...change }).filter(([, one]) => one !== undefined);
    set({ dispatch: next.length === 0 ? undefined : Object.fromEntries(next) });
  };
  return (
    <Group title="Calls">
      <Field
        label="Runs at one time"
        hint="Further ones wait. Left out: as the tenant's limits say."
        fault={faultOf(problems, "dispatch.maxConcurrent")}
      >
        {(tie) => (
          <NumberField
            {...tie}
            value={dispatch?.maxConcurrent}
            change={(next) => put({ maxConcurrent: next as number | undefined })}
          />
        )}
      </Field>
      <Field label="Starts in a second" hint="Likewise." fault={faultOf(problems, "dispatch.perSecond")}>
        {(tie) => (
          <NumberField
            {...tie}
            value={dispatch?.perSecond}
            change={(next) => put({ perSecond: next as number | undefined })}
          />
        )}
      </Field>
      <Choice
        label="Defaults of the parameters are filled in"
        none="as the tenant's settings say"
        value={draft.applyDefaults}
        change={(applyDefaults) => set({ applyDefaults })}
      />
      <div className="self-end pb-6">
        <Toggle
          label="Safe to run again, also after it reached outside"
          isOn={draft.idempotent === true}
          onTurn={(isOn) => set({ idempotent: isOn || undefined })}
        />
      </div>
    </Group>
  );
}

const Metadata = ({ bench }: { bench: Bench }) => (
  <>
    <AsJson
      bench={bench}
      field="metadata"
      label="Metadata"
      hint="Facts of your own about the tool, kept as they are: an object."
      fits={isObject}
    />
    {bench.draft.requiredApiKeys !== undefined && bench.draft.requiredApiKeys.length > 0 && (
      <AsJson
        bench={bench}
        field="requiredApiKeys"
        label="Required API keys"
        hint="The former way to name services: a list. The services beside the code can say more."
        fits={Array.isArray}
      />
    )}
  </>
);

interface AsJsonProps {
  bench: Bench;
  field: "metadata" | "requiredApiKeys";
  label: string;
  hint: string;
  /** Whether a value has the field's form; any other changes nothing. */
  fits: (value: unknown) => boolean;
}

function AsJson({ bench: { draft, set, problems }, field, label, hint, fits }: AsJsonProps) {
  const id = useId();
  const fault = faultOf(problems, field);
  return (
    <div>
      <label htmlFor={id} className="mb-1 block text-xs font-semibold text-ink-2">
        {label}, as JSON
      </label>
      <JsonField
        id={id}
        value={draft[field]}
        change={(next) => (next === undefined || fits(next)) && set({ [field]: next })}
      />
      <p className={`mt-1 text-xs ${fault === undefined ? "text-ink-3" : "text-bad"}`}>
        <Words text={fault ?? hint} />
      </p>
    </div>
  );
}
