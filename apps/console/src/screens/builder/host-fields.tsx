import { useState } from "react";
import { Field, TextArea } from "../../design/fields.tsx";
import { Part } from "../../design/part.tsx";
import type { Bench } from "./bench.ts";
import { faultOf } from "./problems.ts";

/** Hosts, one a line or with commas between them, as people paste them. */
const hostsIn = (text: string): string[] =>
  text
    .split(/[\s,]+/)
    .map((host) => host.trim())
    .filter((host) => host !== "");

const HINT = "api.example.com, or *.example.com for every name below it; with a port behind it if need be.";

const CHOICES = [
  ["any", "Any public host"],
  ["some", "These hosts alone"],
] as const;

/** Where its requests may go. */
export function HostFields({ bench: { draft, set, problems } }: { bench: Bench }) {
  const { allowedHosts } = draft;
  const [text, setText] = useState(() => (allowedHosts ?? []).join("\n"));
  // The list came from elsewhere, as from a template or what was dropped.
  const shown =
    allowedHosts !== undefined && hostsIn(text).join() !== allowedHosts.join()
      ? allowedHosts.join("\n")
      : text;
  const choice = allowedHosts === undefined ? "any" : "some";
  if (draft.permissions?.includes("network") !== true)
    return (
      <Part title="Hosts that it may reach">
        <p className="text-sm text-ink-3">None: it has no permission to use the network.</p>
      </Part>
    );
  return (
    <Part title="Hosts that it may reach">
      <fieldset className="mb-3 flex flex-wrap gap-x-5 gap-y-1 text-sm">
        <legend className="sr-only">Hosts that it may reach</legend>
        {CHOICES.map(([name, title]) => (
          <label key={name} className="flex items-center gap-2">
            <input
              type="radio"
              className="accent-accent"
              checked={choice === name}
              onChange={() => set({ allowedHosts: name === "any" ? undefined : hostsIn(text) })}
            />
            {title}
          </label>
        ))}
      </fieldset>
      {choice === "some" && (
        <Field
          label="Hosts, one a line"
          hint={`${shown.trim() === "" ? "While none is named, no request gets out. " : ""}${HINT}`}
          fault={faultOf(problems, "allowedHosts")}
        >
          {(tie) => (
            <TextArea
              {...tie}
              rows={3}
              spellCheck={false}
              className="font-mono"
              placeholder="api.example.com"
              value={shown}
              onChange={({ target }) => {
                setText(target.value);
                set({ allowedHosts: hostsIn(target.value) });
              }}
            />
          )}
        </Field>
      )}
    </Part>
  );
}
