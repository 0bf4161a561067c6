import type { ToolDraft } from "@bulkhead/client";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { useAssist } from "../../data/builder.ts";
import { Button } from "../../design/button.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { Field, Refusal, TextArea } from "../../design/fields.tsx";
import { Words } from "../../design/words.tsx";
import { assistPrompt, draftTaken, PROMPT_CHARS_MAX } from "./assist.ts";
import type { Bench } from "./bench.ts";
import { ChangesView } from "./changes-view.tsx";

/** Asks the model for a draft, shows what would become of one's own, and takes it only when told to. Nothing of it is saved or runs by itself. */
export function AssistDialog({ bench, onClose }: { bench: Bench; onClose: () => void }) {
  const assist = useAssist();
  const asking = useRef<AbortController>(undefined);
  const [words, setWords] = useState("");
  useEffect(() => () => asking.current?.abort(), []);
  const { data: answer } = assist;
  const prompt = assistPrompt(words, bench);

  function ask(event: FormEvent): void {
    event.preventDefault();
    asking.current = new AbortController();
    assist.mutate({ prompt, signal: asking.current.signal });
  }
  const taken = answer?.draft == null ? null : draftTaken(bench, answer.draft.tool);
  return (
    <Dialog
      title="Ask the model"
      place="side"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{taken === null ? "Cancel" : "Leave it"}</Button>
          {taken !== null && (
            <Button
              look="primary"
              onClick={() => {
                bench.set(taken);
                onClose();
              }}
            >
              Take the draft
            </Button>
          )}
        </>
      }
    >
      <form onSubmit={ask} className="mb-5 flex flex-col items-start gap-3">
        <div className="w-full">
          <Field
            label={bench.draft.code.trim() === "" ? "What should the tool do?" : "What should be different?"}
            hint="The model sees the draft and its problems, and no secret. It takes a minute or two."
            fault={
              prompt.length > PROMPT_CHARS_MAX
                ? "This is too long together with the draft: say it in fewer words."
                : undefined
            }
          >
            {(tie) => (
              <TextArea
                {...tie}
                data-first
                required
                rows={4}
                value={words}
                onChange={({ target }) => setWords(target.value)}
              />
            )}
          </Field>
        </div>
        <Button
          type="submit"
          look={taken === null ? "primary" : "plain"}
          isBusy={assist.isPending}
          disabled={words.trim() === "" || prompt.length > PROMPT_CHARS_MAX}
        >
          {answer === undefined ? "Ask for a draft" : "Ask again"}
        </Button>
        <Refusal error={assist.error} />
      </form>
      {answer !== undefined && <Attempts answer={answer} />}
      {taken !== null && (
        <ChangesView
          names={["Your draft", "The model's"]}
          before={bench.draft}
          after={{ ...bench.draft, ...taken }}
        />
      )}
    </Dialog>
  );
}

/** How the model's drafts went, where the last one did not pass. */
function Attempts({ answer: { attempts, model, draft } }: { answer: ToolDraft }) {
  const last = attempts.at(-1);
  const passed = last?.stage === "passed";
  return (
    <section className={`mb-4 rounded-md px-3 py-2 text-sm ${passed ? "bg-good-soft" : "bg-warn-soft"}`}>
      <p>
        {passed
          ? `The draft of ${model} passed the checks and ran its example.`
          : draft === null
            ? `What ${model} answered is no tool. Say it in other words.`
            : `The last draft of ${model} did not pass. Look at what is wrong before you take it.`}
      </p>
      {!passed && (
        <ul className="mt-1 list-disc pl-5">
          {last?.faults.map(({ path, message }) => (
            <li key={`${path} ${message}`} className="break-words">
              <Words text={`${path} ${message}`} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
