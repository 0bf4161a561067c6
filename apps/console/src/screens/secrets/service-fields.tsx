import { Button } from "../../design/button.tsx";
import { Field, Options, Select, TextArea, TextInput, Toggle } from "../../design/fields.tsx";
import { FieldEditor } from "./field-editor.tsx";
import { SERVICE_KINDS, type ServiceDraft, usualFields } from "./service-values.ts";
import { deliveryWords } from "./service-words.ts";

export interface DraftProps {
  draft: ServiceDraft;
  onChange: (next: Partial<ServiceDraft>) => void;
}

/** The name by which code asks for the service. */
export const Naming = ({ draft, onChange }: DraftProps) => (
  <Field
    label="Name in code"
    hint="Letters, digits, dots, dashes. Code asks for it by this name; it can't be changed."
  >
    {(tie) => (
      <TextInput
        {...tie}
        data-first
        required
        value={draft.name}
        maxLength={64}
        className="font-mono"
        onChange={({ target }) => onChange({ name: target.value })}
      />
    )}
  </Field>
);

/** What it is, which decides what is filled in. */
export const Kind = ({ draft, onChange }: DraftProps) => (
  <Field
    label="What it is"
    hint="A database and a channel are asked by Bulkhead, and code holds none of their values."
  >
    {(tie) => (
      <Select {...tie} value={draft.kind} onChange={({ target }) => onChange({ kind: kindOf(target.value) })}>
        <Options from={Object.entries(SERVICE_KINDS)} />
      </Select>
    )}
  </Field>
);

const kindOf = (text: string): ServiceDraft["kind"] =>
  (Object.keys(SERVICE_KINDS) as ServiceDraft["kind"][]).find((kind) => kind === text) ?? "api";

const TEXTS = [
  { name: "displayName", label: "Name for people", hint: "", max: 200 },
  { name: "description", label: "Description", hint: "What it is for.", max: 2_000 },
  { name: "category", label: "Category", hint: "Any word by which people find it.", max: 64 },
  { name: "docsUrl", label: "Documentation", hint: "The address of a web page.", max: 2_000 },
] as const;

/** What people read of the service. */
export const About = ({ draft, onChange }: DraftProps) => (
  <div className="grid gap-4 sm:grid-cols-2">
    {TEXTS.map(({ name, label, hint, max }) => (
      <Field key={name} label={`${label} (optional)`} hint={hint}>
        {(tie) => (
          <TextInput
            {...tie}
            value={draft[name]}
            maxLength={max}
            onChange={({ target }) => onChange({ [name]: target.value })}
          />
        )}
      </Field>
    ))}
  </div>
);

/** What each of its entries holds. */
export const Fields = ({ draft, onChange }: DraftProps) => (
  <fieldset className="flex flex-col gap-3 border-t border-line pt-4">
    <legend className="float-left mb-2 text-sm font-semibold">What is filled in</legend>
    {draft.fields === null ? (
      <p className="clear-left flex flex-wrap items-center gap-2 text-sm text-ink-2">
        <span>
          A secret <code className="font-mono text-xs">api_key</code> and an address{" "}
          <code className="font-mono text-xs">base_url</code>, as most services need.
        </span>
        <Button onClick={() => onChange({ fields: usualFields() })}>Choose other fields</Button>
      </p>
    ) : (
      <FieldEditor fields={draft.fields} onChange={(fields) => onChange({ fields })} />
    )}
    <Toggle
      label="Several entries, such as one for each account"
      isOn={draft.isMulti}
      onTurn={(isMulti) => onChange({ isMulti })}
    />
  </fieldset>
);

/** How its secrets reach code, and where they may go. */
export const Delivery = ({ draft, onChange }: DraftProps) => {
  const { words } = deliveryWords({
    delivery: draft.isRevealed ? "reveal" : "placeholder",
    exchangeInBody: draft.inBody,
  });
  return (
    <fieldset className="flex flex-col gap-3 border-t border-line pt-4">
      <legend className="float-left mb-2 text-sm font-semibold">Where its secrets may go</legend>
      <div className="clear-left grid gap-4 sm:grid-cols-2">
        <Field label="Code gets" hint={words}>
          {(tie) => (
            <Select
              {...tie}
              value={draft.isRevealed ? "reveal" : "placeholder"}
              onChange={({ target }) => onChange({ isRevealed: target.value === "reveal" })}
            >
              <option value="placeholder">a placeholder</option>
              <option value="reveal">the value itself</option>
            </Select>
          )}
        </Field>
        <Field
          label="Hosts"
          hint={
            draft.hasHosts
              ? "Its secrets go to these alone."
              : "The host of each entry's base_url, else the hosts in the code of the tool that registered it."
          }
        >
          {(tie) => (
            <Select
              {...tie}
              value={draft.hasHosts ? "named" : "own"}
              onChange={({ target }) => onChange({ hasHosts: target.value === "named" })}
            >
              <option value="own">as each entry says</option>
              <option value="named">these alone</option>
            </Select>
          )}
        </Field>
      </div>
      {draft.hasHosts && (
        <Field
          label="Allowed hosts"
          hint="One a line, such as api.example.com or *.example.com. None: nowhere."
        >
          {(tie) => (
            <TextArea
              className="font-mono"
              spellCheck={false}
              {...tie}
              rows={3}
              value={draft.hosts}
              onChange={({ target }) => onChange({ hosts: target.value })}
            />
          )}
        </Field>
      )}
      {!draft.isRevealed && (
        <Toggle
          label="Placeholders are exchanged in request bodies, too"
          isOn={draft.inBody}
          onTurn={(inBody) => onChange({ inBody })}
        />
      )}
    </fieldset>
  );
};
