import { type FormEvent, type ReactNode, useDeferredValue, useState } from "react";
import { useFoundTools } from "../../data/tools.ts";
import { Field, Select, TextInput } from "../../design/fields.tsx";
import { FormDialog } from "../../design/form-dialog.tsx";
import { wordsLine } from "../../design/words.tsx";
import { fromField, toField } from "../../format/moments.ts";
import { CODES, ERROR_WORDS } from "../../run/error-words.ts";
import { type Changes, type ExecutionSearch, readExecutionSearch } from "./execution-search.ts";
import { SOURCE_NAMES, SOURCES } from "../../run/execution-words.ts";

interface Props {
  search: ExecutionSearch;
  change: (next: Changes) => void;
  onClose: () => void;
}

const TOOLS_MAX = 10;

/** All filters that the server has, in one form. */
export function FilterDialog({ search, change, onClose }: Props) {
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    const given = new FormData(event.currentTarget);
    const typed = (name: string): string => {
      const value = given.get(name);
      return typeof value === "string" ? value.trim() : "";
    };
    const names = [
      "tool",
      "version",
      "agent",
      "key",
      "source",
      "code",
      "conversation",
      "parent",
      "schedule",
      "min",
      "max",
    ];
    const moments = { from: fromField(typed("from")), to: fromField(typed("to")) };
    const raw = { ...Object.fromEntries(names.map((name) => [name, typed(name)])), ...moments };
    const read = readExecutionSearch(raw);
    const isPeriod = read.from === undefined && read.to === undefined;
    change({ ...EMPTY, ...read, status: search.status, period: isPeriod ? search.period : undefined });
    onClose();
  };
  return (
    <FormDialog
      title="Filters"
      onClose={onClose}
      does="Show what matches"
      className="grid gap-x-4 gap-y-2 sm:grid-cols-2"
      onSubmit={submit}
    >
      <Tool value={search.tool} />
      <Typed name="version" label="Version" value={search.version} inputMode="numeric" />
      <Choice name="source" label="Source" none="Any" value={search.source}>
        {SOURCES.map((source) => (
          <option key={source} value={source}>
            {SOURCE_NAMES[source]}
          </option>
        ))}
      </Choice>
      <Choice name="code" label="Error" none="Any end" value={search.code}>
        {CODES.map((code) => (
          <option key={code} value={code} title={ERROR_WORDS[code].title}>
            {code}
          </option>
        ))}
      </Choice>
      <Typed name="agent" label="Agent" value={search.agent} />
      <Typed name="key" label="API key's id" value={search.key} />
      <Typed name="conversation" label="Conversation" value={search.conversation} />
      <Typed name="parent" label="Called by the execution" value={search.parent} placeholder="exe_…" />
      <Typed name="schedule" label="Schedule's id" value={search.schedule} placeholder="sch_…" />
      <Typed name="min" label="At least, ms" value={search.min} inputMode="numeric" />
      <Typed name="max" label="At most, ms" value={search.max} inputMode="numeric" />
      <Typed name="from" label="Accepted from" value={toField(search.from)} type="datetime-local" />
      <Typed name="to" label="Accepted before" value={toField(search.to)} type="datetime-local" />
    </FormDialog>
  );
}

/** Whatever the form holds no more is taken out of the address. */
const EMPTY: Changes = {
  tool: undefined,
  version: undefined,
  agent: undefined,
  key: undefined,
  source: undefined,
  code: undefined,
  conversation: undefined,
  parent: undefined,
  schedule: undefined,
  min: undefined,
  max: undefined,
  from: undefined,
  to: undefined,
};

/** Longest of what any of the filters takes. */
const CHARS_MAX = 256;

interface TypedProps {
  name: string;
  label: string;
  value: string | number | undefined;
  type?: string;
  inputMode?: "numeric";
  placeholder?: string;
}

const Typed = ({ label, value, ...others }: TypedProps) => (
  <Field label={label}>
    {(tie) => (
      <TextInput
        {...tie}
        {...others}
        defaultValue={value}
        maxLength={CHARS_MAX}
        autoComplete="off"
        spellCheck={false}
      />
    )}
  </Field>
);

interface ChoiceProps extends Pick<TypedProps, "name" | "label"> {
  /** What stands for no filter. */
  none: string;
  value: string | undefined;
  children: ReactNode;
}

const Choice = ({ name, label, none, value, children }: ChoiceProps) => (
  <Field label={label}>
    {(tie) => (
      <Select {...tie} name={name} defaultValue={value ?? ""} className="w-full">
        <option value="">{none}</option>
        {children}
      </Select>
    )}
  </Field>
);

/** A tool's name or id; names that begin like it are offered. */
function Tool({ value }: { value: string | undefined }) {
  const [typed, setTyped] = useState(value ?? "");
  const { data: found = [] } = useFoundTools(useDeferredValue(typed.trim()), TOOLS_MAX);
  return (
    <Field label="Tool">
      {(tie) => (
        <>
          <TextInput
            {...tie}
            name="tool"
            list="tools-found"
            autoComplete="off"
            spellCheck={false}
            placeholder="Name or id"
            value={typed}
            maxLength={64}
            onChange={({ target }) => setTyped(target.value)}
          />
          <datalist id="tools-found">
            {found.map(({ id, name }) => (
              <option key={id} value={wordsLine(name)} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}
