import { useId, useState } from "react";
import { Options, Select, TextInput } from "../../design/fields.tsx";
import { wordsLine } from "../../design/words.tsx";
import { ASKER_CHARS_MAX, type PolicySearch } from "./policy-search.ts";

export type AskerSearch = Pick<PolicySearch, "agent" | "provider" | "group" | "user" | "depth">;
type Name = Exclude<keyof AskerSearch, "depth">;

const LABELS: Readonly<Record<Name, string>> = {
  agent: "Agent",
  provider: "Provider",
  group: "Group",
  user: "User",
};

const DEPTHS = [
  [0, "No subagent"],
  [1, "Subagent"],
  [2, "Subagent's subagent"],
] as const;

interface Props {
  search: AskerSearch;
  /** What is known to choose from; anything else may be written, too. */
  known: Partial<Record<Name, readonly string[]>>;
  /** Who asks is said elsewhere. */
  isAgentFixed?: boolean;
  change: (next: { [Field in keyof AskerSearch]?: AskerSearch[Field] | undefined }) => void;
}

/** Who asks: by the words that a policy hears. */
export const AskerFields = ({ search, known, isAgentFixed = false, change }: Props) => (
  <div className="grid grid-cols-2 gap-2 sm:flex sm:flex-wrap">
    {(Object.keys(LABELS) as Name[])
      .filter((name) => !isAgentFixed || name !== "agent")
      .map((name) => (
        <Word
          key={name}
          name={name}
          word={search[name] ?? ""}
          known={known[name] ?? []}
          change={(word) => change({ [name]: word })}
        />
      ))}
    <Select
      aria-label="Depth"
      value={search.depth ?? 0}
      onChange={({ target }) => change({ depth: Number(target.value) || undefined })}
    >
      <Options from={DEPTHS} />
      {(search.depth ?? 0) > 2 && <option value={search.depth}>Depth {search.depth}</option>}
    </Select>
  </div>
);

interface WordProps {
  name: Name;
  word: string;
  known: readonly string[];
  change: (word: string | undefined) => void;
}

/** A word is told once somebody leaves the field, presses Enter or chooses one that is known. */
function Word({ name, word, known, change }: WordProps) {
  const list = useId();
  const [typed, setTyped] = useState(word);
  const [shown, setShown] = useState(word);
  if (word !== shown) {
    setShown(word);
    setTyped(word);
  }
  const tell = (text: string): void => {
    if (text.trim() !== word) change(text.trim() || undefined);
  };
  return (
    <>
      <TextInput
        aria-label={LABELS[name]}
        placeholder={LABELS[name]}
        className="sm:w-40"
        list={list}
        value={typed}
        maxLength={ASKER_CHARS_MAX[name]}
        onChange={({ target }) => {
          setTyped(target.value);
          if (target.value === "" || known.includes(target.value)) tell(target.value);
        }}
        onBlur={() => tell(typed)}
        onKeyDown={({ key }) => key === "Enter" && tell(typed)}
      />
      <datalist id={list}>
        {known.map((one) => (
          <option key={one} value={one} label={wordsLine(one)} />
        ))}
      </datalist>
    </>
  );
}
