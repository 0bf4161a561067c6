import type { AuditEntry } from "@bulkhead/client";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import { wordsOf } from "../../data/api.ts";
import { collectAudit, EXPORTED_MAX, useAudit } from "../../data/audit.ts";
import { csv, saveFile } from "../../data/files.ts";
import { Button } from "../../design/button.tsx";
import { Options, Select } from "../../design/fields.tsx";
import { Download, ScrollText } from "../../design/icons.tsx";
import { PagedTable } from "../../design/next-page.tsx";
import { notify } from "../../design/notices.tsx";
import { PageHead } from "../../design/page-head.tsx";
import { Failed, Loading, NoneLikeThat, Picture } from "../../design/page-states.tsx";
import { type Column, ROW_LINK } from "../../design/table.tsx";
import { When } from "../../design/when.tsx";
import { Words } from "../../design/words.tsx";
import { Entry } from "./entry.tsx";
import {
  actionWords,
  auditRows,
  type AuditSearch,
  filtersOf,
  SINCE_NAMES,
  SUBJECTS,
} from "./audit-search.ts";

const route = getRouteApi("/audit");

/** Who changed what, and when: every change of the tenant's, and every look at what is exported. */
export function Audit() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = (next: { [Name in keyof AuditSearch]?: AuditSearch[Name] | undefined }): void =>
    void navigate({ search: (before) => ({ ...before, ...next }) as AuditSearch, replace: true });
  return (
    <>
      <PageHead title="Audit" actions={<Export search={search} />}>
        <Filters search={search} change={change} />
      </PageHead>
      <Found
        search={search}
        close={() => change({ entry: undefined })}
        clear={() => void navigate({ search: {} })}
      />
    </>
  );
}

interface FilterProps {
  search: AuditSearch;
  change: (next: { [Name in keyof AuditSearch]?: AuditSearch[Name] | undefined }) => void;
}

const Filters = ({ search, change }: FilterProps) => (
  <div className="mb-3 flex flex-wrap items-center gap-2">
    <Select
      aria-label="About"
      value={search.about ?? ""}
      onChange={({ target }) => change({ about: (target.value || undefined) as AuditSearch["about"] })}
    >
      <option value="">About anything</option>
      <Options from={Object.entries(SUBJECTS)} />
    </Select>
    <Select
      aria-label="Since"
      value={search.since ?? ""}
      onChange={({ target }) => change({ since: SINCE_NAMES.find((name) => name === target.value) })}
    >
      <option value="">At any time</option>
      {SINCE_NAMES.map((name) => (
        <option key={name} value={name}>
          In the last {name}
        </option>
      ))}
    </Select>
    {search.key !== undefined && (
      <Chosen what="Key" id={search.key} onDrop={() => change({ key: undefined })} />
    )}
    {search.id !== undefined && (
      <Chosen what="Subject" id={search.id} onDrop={() => change({ id: undefined })} />
    )}
  </div>
);

const Chosen = ({ what, id, onDrop }: { what: string; id: string; onDrop: () => void }) => (
  <Button onClick={onDrop} title="Remove this filter" className="max-w-full">
    <span className="truncate">
      {what}: <Words text={id} />
    </span>
    <span aria-hidden>×</span>
  </Button>
);

const COLUMNS: readonly Column<AuditEntry>[] = [
  {
    name: "What",
    width: "minmax(10rem, 1.5fr)",
    cell: ({ id, action, subject }) => (
      <Link to="/audit" search={(before) => ({ ...before, entry: id })} replace {...ROW_LINK}>
        {actionWords(action)}
        <span className="font-normal text-ink-2 sm:hidden">
          {" "}
          <Words text={subject.name ?? subject.id} />
        </span>
      </Link>
    ),
  },
  {
    name: "Of what",
    width: "minmax(8rem, 1.5fr)",
    from: "sm",
    cell: ({ subject }) => <Words text={subject.name ?? subject.id} />,
  },
  {
    name: "By",
    width: "minmax(7rem, 1fr)",
    from: "md",
    cell: ({ actor }) => (
      <Words text={actor.agentId === undefined ? actor.role : `${actor.role} ${actor.agentId}`} />
    ),
  },
  { name: "When", width: "8.5rem", cell: ({ at }) => <When at={at} /> },
];

function Found({ search, close, clear }: { search: AuditSearch; close: () => void; clear: () => void }) {
  const [now] = useState(() => new Date());
  const found = useAudit(filtersOf(search, now));
  if (found.isPending) return <Loading what="the log" />;
  if (found.data === undefined) return <Failed error={found.error} onRetry={() => void found.refetch()} />;
  const entries = found.data.pages.flatMap((page) => page.entries);
  const open = entries.find(({ id }) => id === search.entry);
  if (entries.length === 0)
    return Object.keys(search).length > 0 ? (
      <NoneLikeThat what="change" onClear={clear} />
    ) : (
      <Picture icon={ScrollText} title="Nothing has changed yet">
        What people, agents and programs change stands here from then on.
      </Picture>
    );
  return (
    <div className="p-4 md:px-6">
      <PagedTable
        found={found}
        label="Changes"
        columns={COLUMNS}
        rows={entries}
        keyOf={({ id }) => id}
        isSelected={({ id }) => id === search.entry}
      />
      {open !== undefined && <Entry entry={open} onClose={close} />}
    </div>
  );
}

/** All that the filters let through, as a file; how far it is stands on the button. */
function Export({ search }: { search: AuditSearch }) {
  const [count, setCount] = useState<number | null>(null);
  const run = async (): Promise<void> => {
    setCount(0);
    try {
      const entries = await collectAudit(filtersOf(search, new Date()), setCount);
      saveFile("audit.csv", "text/csv", csv(auditRows(entries)));
      if (entries.length === EXPORTED_MAX)
        notify(
          "bad",
          `The file has the latest ${EXPORTED_MAX.toLocaleString()} entries; narrow the filters for the rest.`,
        );
    } catch (error) {
      notify("bad", `The log could not be exported. ${wordsOf(error)}`);
    } finally {
      setCount(null);
    }
  };
  return (
    <Button icon={Download} isBusy={count !== null} onClick={() => void run()}>
      {count === null ? "Export CSV" : `${count.toLocaleString()} entries`}
    </Button>
  );
}
