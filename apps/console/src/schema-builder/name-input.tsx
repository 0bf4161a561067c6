import { useId, useState } from "react";
import { TextInput } from "../design/fields.tsx";
import { wordsLine } from "../design/words.tsx";

interface Props {
  name: string;
  /** It was just added: whoever added it types its name next. */
  isNew: boolean;
  className?: string;
  /** Why a name can't be taken; undefined: it can. */
  faultOf: (name: string) => string | undefined;
  onRename: (name: string) => void;
}

/** A field's name; another one is taken when the input is left, and by Enter. */
export function NameInput({ name, isNew, className, faultOf, onRename }: Props) {
  const id = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const fault = typed === null ? undefined : faultOf(typed);
  function take(): void {
    if (typed === null || fault !== undefined) return;
    setTyped(null);
    if (typed !== name) onRename(typed);
  }
  return (
    <span className={className}>
      <TextInput
        aria-label={`Name of ${wordsLine(name)}`}
        aria-invalid={fault !== undefined}
        aria-describedby={fault === undefined ? undefined : id}
        // It comes by a press of the button that adds it.
        autoFocus={isNew}
        onFocus={({ target }) => isNew && target.select()}
        spellCheck={false}
        autoComplete="off"
        value={typed ?? name}
        className="h-7! border-transparent! bg-transparent! px-1.5! font-mono font-medium hover:border-line-strong! focus:border-line-strong! aria-invalid:border-bad!"
        onChange={({ target }) => setTyped(target.value)}
        onBlur={take}
        onKeyDown={(event) => {
          if (event.key === "Escape") setTyped(null);
          if (event.key === "Enter") take();
        }}
      />
      {fault !== undefined && (
        <span id={id} role="alert" className="block px-1.5 text-xs text-bad">
          {fault} It is still “{wordsLine(name)}”.
        </span>
      )}
    </span>
  );
}
