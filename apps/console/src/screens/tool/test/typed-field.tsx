import { useState } from "react";
import { TextArea, TextInput } from "../../../design/fields.tsx";
import { readJson } from "../../../format/read-json.ts";
import { numberIn } from "./form-fields.ts";

interface Props {
  id: string;
  value: unknown;
  /** Undefined: what is typed is none yet. */
  change: (next: unknown) => void;
}

/** What somebody types stays as they typed it, as long as it says what the value is. */
function useTyped(value: unknown, read: (text: string) => unknown) {
  const write = (one: unknown): string =>
    one === undefined || one === null ? "" : JSON.stringify(one, null, 2);
  const [typed, setTyped] = useState(() => write(value));
  const says = JSON.stringify(read(typed) ?? null);
  const [seen, setSeen] = useState(() => JSON.stringify(value ?? null));
  const now = JSON.stringify(value ?? null);
  // The value came from elsewhere, as from the JSON beside the form.
  if (now !== seen) {
    setSeen(now);
    if (now !== says) setTyped(write(value));
  }
  return [typed, setTyped] as const;
}

interface NumberProps extends Props {
  "aria-describedby"?: string;
  "aria-invalid"?: boolean;
  /** What it is, where no label tells. */
  "aria-label"?: string;
  /** What holds where nothing is typed. */
  placeholder?: string;
}

export function NumberField({ value, change, "aria-invalid": isWrong = false, ...tie }: NumberProps) {
  const [typed, setTyped] = useTyped(value, numberIn);
  return (
    <TextInput
      {...tie}
      inputMode="decimal"
      className="max-w-48 tabular-nums"
      aria-invalid={isWrong || (typed !== "" && numberIn(typed) === undefined)}
      value={typed}
      onChange={({ target }) => {
        setTyped(target.value);
        change(numberIn(target.value));
      }}
    />
  );
}

/** The value of a text of JSON; undefined: it is none. */
function jsonIn(text: string): unknown {
  const read = readJson(text);
  return "fault" in read ? undefined : read.value;
}

/** A value for which the form has no other way. What is no JSON yet changes nothing. */
export function JsonField({ id, value, change }: Props) {
  const [typed, setTyped] = useTyped(value, jsonIn);
  const isWrong = typed !== "" && jsonIn(typed) === undefined;
  return (
    <TextArea
      id={id}
      rows={1}
      spellCheck={false}
      placeholder="JSON"
      className="field-sizing-content resize-none! max-h-60 font-mono"
      aria-invalid={isWrong}
      value={typed}
      onChange={({ target }) => {
        setTyped(target.value);
        if (target.value === "") change(undefined);
        else if (jsonIn(target.value) !== undefined) change(jsonIn(target.value));
      }}
    />
  );
}
