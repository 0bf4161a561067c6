import { useRef, useState } from "react";
import { isConflict, wordsOf } from "../../data/api.ts";
import { readPolicy, type SeenPolicy, useSavePolicy } from "../../data/policy.ts";
import { useIsOwner } from "../../data/session.ts";
import { Button } from "../../design/button.tsx";
import { Conflict } from "../../design/conflict.tsx";
import { Refusal, TextArea } from "../../design/fields.tsx";
import { notify } from "../../design/notices.tsx";
import { Part } from "../../design/part.tsx";
import { SideBySide } from "../../design/side-by-side.tsx";
import { Words } from "../../design/words.tsx";
import { KnownNames } from "./known-names.tsx";
import { type Draft, faultsIn, placeOf, type Remark, textOf } from "./policy-draft.ts";

interface Props {
  base: SeenPolicy;
  text: string;
  draft: Draft;
  /** What the server has against the text, as far as it was asked. */
  faults: readonly Remark[];
  isChanged: boolean;
  onType: (text: string) => void;
  /** Goes on from another document in force, with other words or its own. */
  onTake: (next: SeenPolicy, words?: string) => void;
}

/** The document as JSON; whoever may not set it reads it. */
export function Editor({ base, text, draft, faults, isChanged, onType, onTake }: Props) {
  const isOwner = useIsOwner();
  const area = useRef<HTMLTextAreaElement>(null);
  const save = useSavePolicy();
  const [theirs, setTheirs] = useState<SeenPolicy | null>(null);
  const [warnings, setWarnings] = useState<readonly Remark[]>([]);
  const isReady = "document" in draft && faults.length === 0;
  const showTheirs = async (): Promise<void> => {
    try {
      setTheirs(await readPolicy());
    } catch (error) {
      notify("bad", `What the policy is now could not be read. ${wordsOf(error)}`);
    }
  };
  const run = (etag: string): void => {
    if (!("document" in draft)) return;
    save.mutate(
      { document: draft.document, etag },
      {
        onSuccess: (saved) => {
          setTheirs(null);
          setWarnings(saved.warnings);
          onTake(saved);
          notify("good", "The policy is saved. It holds from the next request on.");
        },
        onError: (error) => {
          if (isConflict(error)) void showTheirs();
        },
      },
    );
  };
  const showPlace = (path: string): void => {
    const place = placeOf(text, path);
    if (place === null) return;
    area.current?.focus();
    area.current?.setSelectionRange(...place);
  };
  const buttons = isOwner && (
    <>
      <Button disabled={!isChanged} onClick={() => onTake(base)}>
        Undo changes
      </Button>
      <Button
        look="primary"
        isBusy={save.isPending}
        disabled={!isChanged || !isReady}
        onClick={() => run(base.etag)}
      >
        Save
      </Button>
    </>
  );
  const isOtherError = save.isError && !isConflict(save.error) && faultsIn(save.error).length === 0;
  return (
    <Part title="Document" aside={buttons}>
      <TextArea
        ref={area}
        aria-label="The policy as JSON"
        aria-invalid={!isReady}
        className="h-96 font-mono leading-6 whitespace-pre"
        spellCheck={false}
        readOnly={!isOwner}
        value={text}
        onChange={({ target }) => {
          save.reset();
          setWarnings([]);
          onType(target.value);
        }}
      />
      {"fault" in draft && <p className="mt-2 text-sm text-bad">{draft.fault}</p>}
      <Remarks tone="bad" remarks={isChanged ? faults : []} onPress={showPlace} />
      <Remarks tone="bad" remarks={faultsIn(save.error)} onPress={showPlace} />
      <Remarks tone="warn" remarks={warnings} onPress={showPlace} />
      {isOtherError && <Refusal error={save.error} />}
      <KnownNames />
      {theirs !== null && (
        <Conflict
          title="Somebody else has saved the policy"
          says="Nothing of yours was saved, and nothing of theirs is lost. Go on with yours to bring their changes into your text, then save again."
          isBusy={save.isPending}
          onTakeTheirs={() => {
            setTheirs(null);
            onTake(theirs);
          }}
          onGoOn={() => {
            setTheirs(null);
            onTake(theirs, text);
          }}
          onClose={() => setTheirs(null)}
        >
          <SideBySide
            label="Their policy against yours"
            names={["In force, as they saved it", "Yours, not saved"]}
            before={textOf(theirs.document)}
            after={"document" in draft ? textOf(draft.document) : text}
          />
        </Conflict>
      )}
    </Part>
  );
}

interface RemarksProps {
  tone: "bad" | "warn";
  remarks: readonly Remark[];
  onPress: (path: string) => void;
}

/** What is said of places in the document; a press selects the place. */
const Remarks = ({ tone, remarks, onPress }: RemarksProps) =>
  remarks.length > 0 && (
    <div role={tone === "bad" ? "alert" : "status"}>
      <ul
        className={`mt-2 flex flex-col gap-1 rounded-md px-3 py-2 text-sm ${tone === "bad" ? "bg-bad-soft" : "bg-warn-soft"}`}
      >
        {remarks.map(({ path, message }) => (
          <li key={path} className="min-w-0 break-words">
            <button
              type="button"
              className="rounded-sm font-mono text-xs break-all underline underline-offset-2"
              title="Select the place"
              onClick={() => onPress(path)}
            >
              <Words text={path === "" ? "document" : path} />
            </button>{" "}
            <Words text={message} />
          </li>
        ))}
      </ul>
    </div>
  );
