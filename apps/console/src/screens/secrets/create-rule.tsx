import { useState } from "react";
import { useCreateScrubRule } from "../../data/scrub-rules.ts";
import { Button } from "../../design/button.tsx";
import { Field, Refusal, Select, TextInput } from "../../design/fields.tsx";
import { FormDialog } from "../../design/form-dialog.tsx";
import { notify } from "../../design/notices.tsx";
import { wordsLine } from "../../design/words.tsx";
import { faultsOf, isOnlyWeak } from "./entry-values.ts";

/** Makes a rule: a pattern that anyone may read, or one value that nobody sees again. */
export function CreateRule({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState("");
  const [isValue, setValue] = useState(false);
  const [text, setText] = useState("");
  const create = useCreateScrubRule();
  const faults = faultsOf(create.error);
  const isWeak = isOnlyWeak(create.error);
  const fault = faults["pattern"] ?? faults["value"];

  const submit = (allowWeak: boolean): void =>
    create.mutate(
      { name: name.trim(), ...(isValue ? { value: text, allowWeak } : { pattern: text }) },
      {
        onSuccess: () => {
          notify("good", `The rule ${name.trim()} holds from the next run on.`);
          onClose();
        },
      },
    );

  return (
    <FormDialog
      title="New rule"
      onClose={onClose}
      does="Create rule"
      isBusy={create.isPending}
      otherActions={
        isWeak && (
          <Button look="danger" isBusy={create.isPending} onClick={() => submit(true)}>
            Cover it as a whole word
          </Button>
        )
      }
      onSubmit={() => submit(false)}
    >
      <Field label="Name" hint="Lowercase letters, digits, dots and dashes. Its matches are counted by it.">
        {(tie) => (
          <TextInput
            {...tie}
            data-first
            required
            value={name}
            maxLength={64}
            onChange={({ target }) => setName(target.value)}
          />
        )}
      </Field>
      <Field label="Covers" hint="In all that runs let out: logs, results, errors, progress.">
        {(tie) => (
          <Select
            {...tie}
            value={isValue ? "value" : "pattern"}
            onChange={({ target }) => {
              setValue(target.value === "value");
              setText("");
              create.reset();
            }}
          >
            <option value="pattern">whatever matches a pattern</option>
            <option value="value">one value, in all its encodings</option>
          </Select>
        )}
      </Field>
      <Field
        label={isValue ? "Value" : "Pattern"}
        hint={
          isValue
            ? "It is stored sealed and never shown again."
            : "A regular expression, such as CUST-\\d{6}. Anyone here may read it."
        }
        fault={fault === undefined ? undefined : wordsLine(`It ${fault}.`)}
      >
        {(tie) => (
          <TextInput
            {...tie}
            key={isValue ? "value" : "pattern"}
            required
            type={isValue ? "password" : "text"}
            autoComplete={isValue ? "new-password" : "off"}
            className={isValue ? undefined : "font-mono"}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        )}
      </Field>
      {fault === undefined && <Refusal error={create.error} />}
    </FormDialog>
  );
}
