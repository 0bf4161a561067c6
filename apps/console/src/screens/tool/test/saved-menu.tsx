import { type FormEvent, useState } from "react";
import { kept } from "../../../data/kept.ts";
import { Button } from "../../../design/button.tsx";
import { Dialog } from "../../../design/dialog.tsx";
import { Field, TextInput } from "../../../design/fields.tsx";
import { Save, X } from "../../../design/icons.tsx";
import { wordsLine } from "../../../design/words.tsx";
import { forgetInput, NAME_CHARS_MAX, savedInputs, saveInput, TEXT_CHARS_MAX } from "./saved-inputs.ts";

interface Props {
  toolId: string;
  text: string;
  /** Takes a saved one. */
  take: (text: string) => void;
}

/** Arguments that somebody has kept under names, in this browser. */
export function SavedInputs({ toolId, text, take }: Props) {
  const [inputs, setInputs] = useState(() => savedInputs(kept, toolId));
  const [isNaming, setNaming] = useState(false);
  const refresh = (): void => setInputs(savedInputs(kept, toolId));
  return (
    <div className="flex flex-wrap items-center justify-end gap-1.5">
      {inputs.map((input) => (
        <span key={input.name} className="flex rounded-md border border-line bg-surface">
          <button
            type="button"
            className="max-w-48 truncate rounded-md px-2 py-0.5 text-xs hover:bg-hover"
            title={`Take ${wordsLine(input.name)}`}
            onClick={() => take(input.text)}
          >
            {wordsLine(input.name)}
          </button>
          <button
            type="button"
            className="rounded-md px-1.5 text-ink-3 hover:bg-hover hover:text-ink"
            aria-label={`Forget ${wordsLine(input.name)}`}
            onClick={() => {
              forgetInput(kept, input);
              refresh();
            }}
          >
            <X size={12} />
          </button>
        </span>
      ))}
      <Button
        look="quiet"
        icon={Save}
        className="h-6! px-1.5! text-xs!"
        disabled={text.length > TEXT_CHARS_MAX}
        title={
          text.length > TEXT_CHARS_MAX
            ? "These arguments are too long to be kept"
            : "Kept in this browser alone, until you log out"
        }
        onClick={() => setNaming(true)}
      >
        Keep these
      </Button>
      {isNaming && (
        <NameDialog
          onClose={() => setNaming(false)}
          onName={(name) => {
            saveInput(kept, { toolId, name, text });
            refresh();
            setNaming(false);
          }}
        />
      )}
    </div>
  );
}

function NameDialog({ onName, onClose }: { onName: (name: string) => void; onClose: () => void }) {
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const name = new FormData(event.currentTarget).get("name") as string;
    if (name.trim() !== "") onName(name.trim());
  };
  return (
    <Dialog title="Keep these arguments" onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field
          label="Name"
          hint="They stay in this browser until you log out. What has the same name is replaced."
        >
          {(tie) => <TextInput {...tie} name="name" autoFocus required maxLength={NAME_CHARS_MAX} />}
        </Field>
        <Button type="submit" look="primary" className="self-end">
          Keep
        </Button>
      </form>
    </Dialog>
  );
}
