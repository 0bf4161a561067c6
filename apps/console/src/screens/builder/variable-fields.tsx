import { type FormEvent, useId, useState } from "react";
import { Badge } from "../../design/badge.tsx";
import { Button } from "../../design/button.tsx";
import { Field, TextInput } from "../../design/fields.tsx";
import { Plus, X } from "../../design/icons.tsx";
import { Part } from "../../design/part.tsx";
import { Words, wordsLine } from "../../design/words.tsx";
import type { Bench } from "./bench.ts";
import { Fault } from "./fault.tsx";
import { faultOf, ofField } from "./problems.ts";

type Variables = NonNullable<Bench["draft"]["env"]>;

/** The variables of a command. A value that is stored is never shown: it stays as it is, or another takes its place. */
export function VariableFields({ bench }: { bench: Bench }) {
  const { draft, base, isThere, set, problems } = bench;
  const env: Variables = draft.env ?? {};
  const stored = isThere ? (base.env ?? {}) : {};
  const put = (next: Variables): void =>
    set({ env: Object.keys(next).length === 0 && base.env === undefined ? undefined : next });
  const names = Object.keys(env);
  const ofAll = problems.filter(({ path, severity }) => path === "env" && severity === "error");
  return (
    <Part title="Variables">
      <p className="mb-2 max-w-prose text-xs text-ink-2">
        Kept encrypted, told to the command alone, and covered in what it says. No draft in this browser keeps
        a value: write it again where the page was left before it was saved.
      </p>
      <Fault words={faultOf(ofAll, "env")} />
      {names.length > 0 && (
        <ul className="mb-3 divide-y divide-line rounded-lg border border-line bg-surface px-3">
          {names.map((name) => (
            <Row
              key={name}
              name={name}
              value={env[name] ?? null}
              isStored={Object.hasOwn(stored, name)}
              problems={ofField(problems, `env.${name}`)}
              change={(value) => put({ ...env, [name]: value })}
              remove={() => put(Object.fromEntries(Object.entries(env).filter(([one]) => one !== name)))}
            />
          ))}
        </ul>
      )}
      <AddVariable taken={names} add={(name) => put({ ...env, [name]: null })} />
    </Part>
  );
}

interface RowProps {
  name: string;
  /** Null: as it is, or none yet. */
  value: string | null;
  isStored: boolean;
  problems: Bench["problems"];
  change: (value: string | null) => void;
  remove: () => void;
}

function Row({ name, value, isStored, problems, change, remove }: RowProps) {
  const id = useId();
  const isKept = isStored && value === null;
  return (
    <li className="py-2.5 text-sm">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <label htmlFor={isKept ? undefined : id} className="min-w-0 flex-1 truncate font-mono font-medium">
          <Words text={name} />
        </label>
        {isKept ? (
          <>
            <Badge tone="good" hasDot>
              Stays as it is
            </Badge>
            <Button isSmall aria-label={`Replace ${wordsLine(name)}`} onClick={() => change("")}>
              Replace
            </Button>
          </>
        ) : (
          value === null && <Badge tone="warn">No value yet</Badge>
        )}
        {isStored && value !== null && (
          <Button isSmall look="quiet" onClick={() => change(null)}>
            Leave it as it is
          </Button>
        )}
        <Button look="quiet" isSmall icon={X} aria-label={`Remove ${wordsLine(name)}`} onClick={remove} />
      </div>
      {!isKept && (
        <TextInput
          id={id}
          type="password"
          autoComplete="new-password"
          spellCheck={false}
          aria-label={`Value of ${wordsLine(name)}`}
          className="mt-2 font-mono"
          placeholder="Its value"
          value={value ?? ""}
          onChange={({ target }) => change(target.value)}
        />
      )}
      {problems.map(({ message, severity }) => (
        <p key={message} className={`mt-1 text-xs ${severity === "error" ? "text-bad" : "text-warn"}`}>
          <Words text={message} />
        </p>
      ))}
    </li>
  );
}

const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;

function AddVariable({ taken, add }: { taken: readonly string[]; add: (name: string) => void }) {
  const [name, setName] = useState("");
  const fault =
    name !== "" && !NAME.test(name)
      ? "Letters without accents, digits and _, no digit first."
      : taken.includes(name)
        ? "It is there already."
        : undefined;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (name === "" || fault !== undefined) return;
    add(name);
    setName("");
  };
  return (
    <form onSubmit={submit} className="flex items-start gap-2">
      <div className="min-w-0 flex-1">
        <Field
          label="Another variable"
          hint="Such as API_TOKEN; the command reads it as $API_TOKEN."
          fault={fault}
        >
          {(tie) => (
            <TextInput
              {...tie}
              spellCheck={false}
              autoComplete="off"
              className="font-mono"
              value={name}
              onChange={({ target }) => setName(target.value)}
            />
          )}
        </Field>
      </div>
      <Button type="submit" icon={Plus} className="mt-6" disabled={name === "" || fault !== undefined}>
        Add
      </Button>
    </form>
  );
}
