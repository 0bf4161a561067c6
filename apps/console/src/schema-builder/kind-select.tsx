import { Options, Select } from "../design/fields.tsx";
import type { Kind } from "./field-kinds.ts";

/** What each kind is called, in the order in which they are offered. */
const KIND_NAMES: Readonly<Record<Exclude<Kind, "other">, string>> = {
  text: "Text",
  number: "Number",
  integer: "Whole number",
  boolean: "Yes or no",
  choice: "One of",
  list: "List",
  object: "Object",
  any: "Anything",
};

/** The name of a kind within a sentence. */
export const kindWords = (kind: Exclude<Kind, "other">): string => KIND_NAMES[kind].toLowerCase();

interface Props {
  label: string;
  kind: Kind;
  className?: string;
  onChoose: (kind: Exclude<Kind, "other">) => void;
}

/** Of what kind a value is. */
export const KindSelect = ({ label, kind, className, onChoose }: Props) => (
  <Select
    aria-label={label}
    className={className}
    value={kind}
    onChange={({ target }) => onChoose(target.value as Exclude<Kind, "other">)}
  >
    {kind === "other" && <option value="other">As its JSON says</option>}
    <Options from={Object.entries(KIND_NAMES)} />
  </Select>
);
