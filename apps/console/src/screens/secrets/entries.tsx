import type { ConfigEntry, ConfigService } from "@bulkhead/client";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { wordsOf } from "../../data/api.ts";
import { useMakeDefault } from "../../data/services.ts";
import { useMayWrite } from "../../data/session.ts";
import { Badge } from "../../design/badge.tsx";
import { Button } from "../../design/button.tsx";
import { LINK } from "../../design/classes.ts";
import { Pencil, Plus, Trash, Vault } from "../../design/icons.tsx";
import { notify } from "../../design/notices.tsx";
import { Facts, Part } from "../../design/part.tsx";
import { Picture } from "../../design/page-states.tsx";
import { When } from "../../design/when.tsx";
import { Words, wordsLine } from "../../design/words.tsx";
import { type Field, isSecret, type SecretFacts } from "./entry-values.ts";
import { HOSTS_FROM, tellsHosts } from "./service-words.ts";

/** What is open above the page. */
export type Open =
  | { what: "settings" | "delete" | "add" }
  | { what: "edit" | "remove"; entry: ConfigEntry }
  | null;

interface Props {
  service: ConfigService;
  open: (next: Open) => void;
}

/** What is filled in, entry by entry. */
export function Entries({ service, open }: Props) {
  const { entries, multiEntry } = service;
  const mayWrite = useMayWrite();
  if (entries.length === 0)
    return (
      <Picture
        icon={Vault}
        title="Nothing is filled in yet"
        actions={
          mayWrite && (
            <Button icon={Plus} onClick={() => open({ what: "add" })}>
              Fill in the service
            </Button>
          )
        }
      >
        Until then, tools that ask for it are told that it is not configured.
      </Picture>
    );
  return (
    <Part title={multiEntry ? "Entries" : "Entry"}>
      <div className="flex flex-col gap-4">
        {entries.map((entry) => (
          <EntryBox key={entry.label} service={service} entry={entry} open={open} />
        ))}
      </div>
    </Part>
  );
}

const EntryBox = ({ service, entry, open }: Props & { entry: ConfigEntry }) => (
  <section className="min-w-0">
    <div className="mb-1 flex min-h-8 items-center gap-2 text-sm">
      <h3 className="min-w-0 font-medium break-words">
        <Words text={entry.label} />
      </h3>
      {entry.isDefault && service.multiEntry && <Badge tone="info">Default</Badge>}
      {useMayWrite() && (
        <span className="ml-auto flex shrink-0 items-center gap-1">
          <EntryActions service={service} entry={entry} open={open} />
        </span>
      )}
    </div>
    <Facts
      facts={[
        ...service.configSchema.map(
          (field) => [field.name, <Value field={field} value={entry.data[field.name]} />] as const,
        ),
        ...(tellsHosts(service, entry) ? [["Secrets may go to", <Hosts entry={entry} />] as const] : []),
        ["Changed", <When at={entry.updatedAt} />],
      ]}
    />
  </section>
);

function EntryActions({ service, entry, open }: Props & { entry: ConfigEntry }) {
  const makeDefault = useMakeDefault(service.name);
  return (
    <>
      {!entry.isDefault && (
        <Button
          look="quiet"
          isBusy={makeDefault.isPending}
          onClick={() =>
            makeDefault.mutate(entry.label, {
              onError: (error) => notify("bad", `It is not the default. ${wordsOf(error)}`),
            })
          }
        >
          Make default
        </Button>
      )}
      <Button
        look="quiet"
        icon={Pencil}
        aria-label={`Edit ${wordsLine(entry.label)}`}
        title="Edit"
        onClick={() => open({ what: "edit", entry })}
      />
      <Button
        look="quiet"
        icon={Trash}
        aria-label={`Delete ${wordsLine(entry.label)}`}
        title="Delete"
        onClick={() => open({ what: "remove", entry })}
      />
    </>
  );
}

function Value({
  field,
  value,
}: {
  field: Field;
  value: ConfigEntry["data"][string] | undefined;
}): ReactNode {
  if (value === undefined) {
    if (field.default !== undefined)
      return (
        <span className="text-ink-3">
          <Words text={String(field.default)} /> (preset)
        </span>
      );
    return field.required ? <Badge tone="warn">Missing</Badge> : <span className="text-ink-3">not set</span>;
  }
  if (isSecret(value)) return <Secret facts={value} />;
  return <Words text={String(value)} />;
}

/** All that is known of a secret: its value never comes back. */
const Secret = ({ facts: { setAt, setBy, lastFour, wholeWordsOnly } }: { facts: SecretFacts }) => (
  <span className="flex flex-wrap items-center justify-end gap-x-2">
    <span className="font-mono text-xs" title="Only its last characters are known here">
      ••••
      {lastFour !== undefined && <Words text={lastFour} />}
    </span>
    {wholeWordsOnly && (
      <span title="It is short or common: it is covered only where it stands as a whole word.">
        <Badge tone="warn">Weak</Badge>
      </span>
    )}
    <span className="text-ink-2">
      set <When at={setAt} />, by{" "}
      <Link
        to="/audit"
        search={{ key: setBy }}
        title="What this key has changed"
        className={`font-mono text-xs ${LINK}`}
      >
        {setBy}
      </Link>
    </span>
  </span>
);

const Hosts = ({ entry: { hosts, hostsFrom } }: { entry: ConfigEntry }) => (
  <span className="flex flex-col items-end">
    {hosts.length === 0 ? (
      <Badge tone="warn">Nowhere</Badge>
    ) : (
      hosts.map((host) => (
        <span key={host} className="font-mono text-xs break-all">
          <Words text={host} />
        </span>
      ))
    )}
    <span className="text-xs text-ink-3">{HOSTS_FROM[hostsFrom]}</span>
  </span>
);
