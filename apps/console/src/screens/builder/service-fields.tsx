import { Link } from "@tanstack/react-router";
import { type FormEvent, useId, useState } from "react";
import { useServices } from "../../data/services.ts";
import { Badge } from "../../design/badge.tsx";
import { Button } from "../../design/button.tsx";
import { LINK } from "../../design/classes.ts";
import { TextInput } from "../../design/fields.tsx";
import { Plus, X } from "../../design/icons.tsx";
import { Part } from "../../design/part.tsx";
import { Words, wordsLine } from "../../design/words.tsx";
import { JsonField } from "../tool/test/typed-field.tsx";
import type { Bench } from "./bench.ts";
import type { Draft } from "./draft.ts";
import { Fault } from "./fault.tsx";
import { faultOf } from "./problems.ts";

type Service = NonNullable<Draft["requiredConfigServices"]>[number];

/** The services whose keys the code asks for; those that a person has to fill in first say so, with the way there. */
export function ServiceFields({ bench, missing }: { bench: Bench; missing: readonly string[] }) {
  const { draft, set, problems } = bench;
  const services = draft.requiredConfigServices ?? [];
  const put = (next: readonly Service[]): void =>
    set({ requiredConfigServices: next.length === 0 ? undefined : [...next] });
  return (
    <Part title="Services that it needs">
      <p className="mb-2 text-xs text-ink-2">
        A service holds secrets that a person fills in. Code asks for its key by utils.getApiKey(&quot;its
        name&quot;).
      </p>
      <Fault words={faultOf(problems, "requiredConfigServices")} />
      {services.length > 0 && (
        <ul className="mb-2 divide-y divide-line rounded-lg border border-line bg-surface px-3">
          {services.map((service, index) => (
            // Names may be alike while they are written; their places are not.
            <Row
              key={index}
              service={service}
              isMissing={missing.includes(service.name)}
              change={(next) => put(services.with(index, next))}
              remove={() => put(services.toSpliced(index, 1))}
            />
          ))}
        </ul>
      )}
      <AddService taken={services} add={(name) => put([...services, { name }])} />
    </Part>
  );
}

interface RowProps {
  service: Service;
  isMissing: boolean;
  change: (next: Service) => void;
  remove: () => void;
}

function Row({ service, isMissing, change, remove }: RowProps) {
  const id = useId();
  const { name, displayName } = service;
  return (
    <li className="py-2 text-sm">
      <div className="flex items-center gap-2">
        <span className="min-w-0 flex-1 truncate font-medium">
          <Words text={displayName ?? name} />
        </span>
        <State name={name} isMissing={isMissing} />
        <Button look="quiet" isSmall icon={X} aria-label={`Remove ${wordsLine(name)}`} onClick={remove} />
      </div>
      <details className="mt-1">
        <summary className="cursor-pointer text-xs text-ink-3 hover:text-ink-2">What is asked for</summary>
        <label htmlFor={id} className="mt-2 mb-1 block text-xs text-ink-2">
          As JSON: name, displayName, description, docsUrl, multiEntry, configSchema
        </label>
        <JsonField id={id} value={service} change={(next) => isService(next) && change(next)} />
      </details>
    </li>
  );
}

const isService = (value: unknown): value is Service =>
  typeof value === "object" && value !== null && "name" in value && typeof value.name === "string";

/** Whether the tenant has the service, and its values. */
function State({ name, isMissing }: { name: string; isMissing: boolean }) {
  const { data: services } = useServices();
  const known = services?.find((service) => service.name === name);
  if (services === undefined) return null;
  if (known === undefined) return <Badge tone="info">Made when it is saved</Badge>;
  if (known.configured && !isMissing)
    return (
      <Badge tone="good" hasDot>
        Filled in
      </Badge>
    );
  return (
    <>
      <Badge tone="warn" hasDot>
        Not filled in
      </Badge>
      <Link
        to="/secrets/$service"
        params={{ service: name }}
        search={{ fill: true }}
        className={`text-xs ${LINK}`}
      >
        Fill in
      </Link>
    </>
  );
}

function AddService({ taken, add }: { taken: readonly Service[]; add: (name: string) => void }) {
  const id = useId();
  const [name, setName] = useState("");
  const { data: services = [] } = useServices();
  const isTaken = taken.some((service) => service.name === name.trim());
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (name.trim() === "" || isTaken) return;
    add(name.trim());
    setName("");
  };
  return (
    <form onSubmit={submit} className="flex gap-2">
      <TextInput
        aria-label="Name of a service"
        list={id}
        placeholder="Name of a service"
        value={name}
        spellCheck={false}
        onChange={({ target }) => setName(target.value)}
      />
      <datalist id={id}>
        {services.map((service) => (
          <option key={service.name} value={service.name} />
        ))}
      </datalist>
      <Button type="submit" icon={Plus} disabled={name.trim() === "" || isTaken}>
        Add
      </Button>
    </form>
  );
}
