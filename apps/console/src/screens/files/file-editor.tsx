import type { File as WorkspaceFile } from "@bulkhead/client";
import { useBlocker } from "@tanstack/react-router";
import { useState } from "react";
import { CodeEditor } from "../../code-editor/code-editor.tsx";
import { isConflict, wordsOf } from "../../data/api.ts";
import { type Expected, readNow, useFileWork, type Workspace } from "../../data/workspace-files.ts";
import { Button } from "../../design/button.tsx";
import { Conflict } from "../../design/conflict.tsx";
import { Refusal, TextArea } from "../../design/fields.tsx";
import { notify } from "../../design/notices.tsx";
import { SideBySide } from "../../design/side-by-side.tsx";
import { languageOf, textOf } from "./file-kinds.ts";

interface Props {
  workspace: Workspace;
  /** As it was when its text was read. */
  file: WorkspaceFile;
  text: string;
  onDone: () => void;
}

interface Theirs {
  text: string;
  etag: string;
}

/** Changes a text, which is saved over the one that was read and over no other. */
export function FileEditor({ workspace, file, text: first, onDone }: Props) {
  const [base, setBase] = useState<{ text: string; expected: Expected }>({
    text: first,
    // Another's file is read where there is none: a save is the first one of this workspace.
    expected: file.inherited ? "none" : { etag: file.etag },
  });
  const [text, setText] = useState(first);
  const [theirs, setTheirs] = useState<Theirs | null>(null);
  const write = useFileWork("write", workspace);
  const isChanged = text !== base.text;
  const language = languageOf(file.path);
  useBlocker({
    shouldBlockFn: () => isChanged && !write.isSuccess && !confirm("Leave without saving the file?"),
    enableBeforeUnload: isChanged,
  });
  const showTheirs = async (): Promise<void> => {
    try {
      const { bytes, etag } = await readNow(workspace, file.path);
      setTheirs({ text: textOf(bytes, true) ?? "It is no text any more.", etag });
    } catch (error) {
      notify("bad", `Somebody else has changed the file, and it could not be read. ${wordsOf(error)}`);
    }
  };
  const save = (): void => {
    if (write.isPending || !isChanged) return;
    write.mutate(
      { path: file.path, content: text, expected: base.expected },
      {
        onSuccess: () => {
          notify("good", "The file is saved.");
          onDone();
        },
        onError: (error) => {
          if (isConflict(error)) void showTheirs();
        },
      },
    );
  };
  const goOn = (now: Theirs, words: string): void => {
    setTheirs(null);
    write.reset();
    setBase({ text: now.text, expected: { etag: now.etag } });
    setText(words);
  };
  return (
    <>
      <div className="mb-2 flex flex-wrap items-center justify-end gap-2">
        <Button onClick={() => (!isChanged || confirm("Drop what you have changed?")) && onDone()}>
          Cancel
        </Button>
        <Button look="primary" isBusy={write.isPending} disabled={!isChanged} onClick={save}>
          Save
        </Button>
      </div>
      {language === undefined ? (
        <TextArea
          aria-label="The file"
          className="h-[min(70vh,48rem)] font-mono leading-6"
          spellCheck={false}
          value={text}
          onChange={({ target }) => setText(target.value)}
          onKeyDown={(event) => {
            if (event.key !== "s" || !(event.ctrlKey || event.metaKey)) return;
            event.preventDefault();
            save();
          }}
        />
      ) : (
        <CodeEditor
          label="The file"
          value={text}
          language={language}
          height="min(70vh, 48rem)"
          onChange={setText}
          onSave={save}
        />
      )}
      {!isConflict(write.error) && <Refusal error={write.error} />}
      {theirs !== null && (
        <Conflict
          title="Somebody else has changed the file"
          says="Nothing of yours was saved, and nothing of theirs is lost. Go on with yours to bring their changes into your text, then save again."
          isBusy={write.isPending}
          onTakeTheirs={() => goOn(theirs, theirs.text)}
          onGoOn={() => goOn(theirs, text)}
          onClose={() => setTheirs(null)}
        >
          <SideBySide
            label="Their text against yours"
            names={["As they saved it", "Yours, not saved"]}
            before={theirs.text}
            after={text}
          />
        </Conflict>
      )}
    </>
  );
}
