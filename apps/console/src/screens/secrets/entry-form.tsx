import type { ConfigEntry, ConfigService } from "@bulkhead/client";
import { useState } from "react";
import { useSaveEntry } from "../../data/services.ts";
import { Button } from "../../design/button.tsx";
import { Field, Refusal, TextInput, Toggle } from "../../design/fields.tsx";
import { FormDialog } from "../../design/form-dialog.tsx";
import { notify } from "../../design/notices.tsx";
import { Words } from "../../design/words.tsx";
import { EntryField } from "./entry-field.tsx";
import { dataOf, faultsOf, isOnlyWeak, type Typed, typedOf } from "./entry-values.ts";

const LABEL_CHARS_MAX = 64;

interface Props {
  service: ConfigService;
  /** Absent: a new one. */
  entry: ConfigEntry | undefined;
  onClose: () => void;
}

/** Fills a service in. What was typed of secrets is gone with the form, and is sent once. */
export function EntryForm({ service, entry, onClose }: Props) {
  const { configSchema, multiEntry, entries, name, displayName = name } = service;
  const [label, setLabel] = useState(entry?.label ?? (entries.length === 0 ? "default" : ""));
  const [typed, setTyped] = useState<Typed>(() => typedOf(configSchema, entry));
  const [isDefault, setDefault] = useState(false);
  const save = useSaveEntry(name, entry?.label);
  const faults = faultsOf(save.error);
  const isWeak = isOnlyWeak(save.error);
  // Others are told at their fields.
  const isElsewhere = save.error !== null && configSchema.every((field) => faults[field.name] === undefined);
  const data = dataOf(configSchema, typed, entry);
  const isSame = entry !== undefined && Object.keys(data).length === 0 && label === entry.label && !isDefault;

  function submit(allowWeak: boolean): void {
    const more = { ...(isDefault && { isDefault: true as const }), ...(allowWeak && { allowWeak }) };
    save.mutate(
      { label: label.trim(), data, ...more },
      {
        onSuccess: ({ warnings = [] }) => {
          notify(
            "good",
            warnings.length === 0 ? `${displayName} is filled in.` : `Saved. ${warnings.join(" ")}`,
          );
          onClose();
        },
      },
    );
  }

  return (
    <FormDialog
      title={
        <>
          {entry === undefined ? "Fill in" : "Edit"} <Words text={displayName} />
        </>
      }
      onClose={onClose}
      does="Save"
      isBusy={save.isPending}
      cannotSend={isSame}
      otherActions={
        isWeak && (
          <Button look="danger" isBusy={save.isPending} onClick={() => submit(true)}>
            Save although weak
          </Button>
        )
      }
      onSubmit={() => submit(false)}
    >
      {multiEntry && (
        <Field label="Label" hint="The name by which code asks for this entry." fault={faults["label"]}>
          {(tie) => (
            <TextInput
              {...tie}
              required
              value={label}
              maxLength={LABEL_CHARS_MAX}
              onChange={({ target }) => setLabel(target.value)}
            />
          )}
        </Field>
      )}
      {configSchema.map((field, index) => (
        <EntryField
          key={field.name}
          field={field}
          entry={entry}
          isFirst={index === 0}
          typed={typed[field.name] ?? ""}
          fault={faults[field.name]}
          onType={(text) => setTyped((before) => ({ ...before, [field.name]: text }))}
        />
      ))}
      {multiEntry && entries.length > 0 && entry?.isDefault !== true && (
        <Toggle label="The default, for code that names no entry" isOn={isDefault} onTurn={setDefault} />
      )}
      {isWeak && (
        <p role="alert" className="rounded-md bg-warn-soft px-3 py-2 text-sm">
          A weak secret stands in ordinary texts by chance, so it would be covered only where it is a word of
          its own. Take a longer one if the service lets you.
        </p>
      )}
      {isElsewhere && <Refusal error={save.error} />}
    </FormDialog>
  );
}
