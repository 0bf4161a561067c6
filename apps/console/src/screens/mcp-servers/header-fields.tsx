import { Button } from "../../design/button.tsx";
import { Select, TextInput } from "../../design/fields.tsx";
import { Plus, Trash } from "../../design/icons.tsx";
import type { HeaderForm } from "./server-form.ts";

interface Props {
  headers: readonly HeaderForm[];
  faults: Readonly<Record<string, string>>;
  change: (next: readonly HeaderForm[]) => void;
}

/** Headers of every request; a secret is never written here, but taken from where it is kept. */
export function HeaderFields({ headers, faults, change }: Props) {
  const put = (at: number, next: Partial<HeaderForm>): void =>
    change(headers.map((header, index) => (index === at ? { ...header, ...next } : header)));
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1 text-sm font-medium">Headers</legend>
      {headers.map(({ name, kind, value }, index) => {
        const fault = faults[`headers.${index}`] ?? faults[`headers.${name}`];
        return (
          // A header has no name until one is written.
          <div key={index} className="flex flex-wrap gap-2">
            <TextInput
              aria-label="Header"
              aria-invalid={fault !== undefined}
              placeholder="Authorization"
              className="min-w-28 flex-1"
              maxLength={128}
              value={name}
              onChange={({ target }) => put(index, { name: target.value })}
            />
            <Select
              aria-label={`Kind of ${name}`}
              value={kind}
              onChange={({ target }) => put(index, { kind: target.value === "text" ? "text" : "config" })}
            >
              <option value="config">From a secret</option>
              <option value="text">Text</option>
            </Select>
            <TextInput
              aria-label={`Value of ${name}`}
              aria-invalid={fault !== undefined}
              placeholder={kind === "config" ? "github.token" : "Anyone may read it"}
              className="min-w-28 flex-1"
              maxLength={4_096}
              value={value}
              onChange={({ target }) => put(index, { value: target.value })}
            />
            <Button
              look="quiet"
              icon={Trash}
              aria-label={`Remove the header ${name}`}
              onClick={() => change(headers.filter((_header, other) => other !== index))}
            />
            {fault !== undefined && <p className="w-full text-xs text-bad">{fault}</p>}
          </div>
        );
      })}
      <div className="flex flex-wrap items-center gap-2">
        <Button icon={Plus} onClick={() => change([...headers, { name: "", kind: "config", value: "" }])}>
          Add a header
        </Button>
        <p className="min-w-0 flex-1 text-xs text-ink-3">
          A secret is named by its service and field, such as github.token.
        </p>
      </div>
    </fieldset>
  );
}
