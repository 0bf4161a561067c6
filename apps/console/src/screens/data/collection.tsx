import type { DataDocument } from "@bulkhead/client";
import { Link } from "@tanstack/react-router";
import { type Place, useDocuments } from "../../data/documents.ts";
import { useMayWrite } from "../../data/session.ts";
import { Button } from "../../design/button.tsx";
import { Database, Plus, SearchX } from "../../design/icons.tsx";
import { PagedTable } from "../../design/next-page.tsx";
import { PageHead } from "../../design/page-head.tsx";
import { Failed, Loading, Picture } from "../../design/page-states.tsx";
import { type Column, ROW_LINK } from "../../design/table.tsx";
import { When } from "../../design/when.tsx";
import { Words } from "../../design/words.tsx";
import { type ChangeData, type DataSearch, isReserved, placeOf, whoseOf } from "./data-search.ts";
import { DocumentRecord } from "./document-record.tsx";
import { NewDocument } from "./new-document.tsx";
import { QueryForm } from "./query-form.tsx";

interface Props {
  search: DataSearch;
  collection: string;
  change: ChangeData;
}

/** The documents of one collection, those that meet conditions, and one of them by itself. */
export function Collection({ search, collection, change }: Props) {
  const place = placeOf(search, collection);
  const mayWrite = useMayWrite() && !isReserved(collection);
  const { open, make } = search;
  return (
    <>
      <PageHead
        title={collection}
        back={{ to: "/data", name: "Data" }}
        badges={
          <span className="text-sm text-ink-3">
            of <Words text={whoseOf(place.workspace)} />
          </span>
        }
        actions={
          mayWrite && (
            <Button look="primary" icon={Plus} onClick={() => change({ make: true })}>
              New document
            </Button>
          )
        }
      >
        {isReserved(collection) && (
          <p className="-mt-2 mb-4 text-ink-2">What the platform&apos;s own tools keep: it is for reading.</p>
        )}
      </PageHead>
      <div className="p-4 md:px-6">
        <QueryForm search={search} change={change} />
        <Documents place={place} search={search} change={change} />
      </div>
      {open !== undefined && (
        <DocumentRecord
          key={open}
          place={place}
          id={open}
          mayWrite={mayWrite}
          onClose={() => change({ open: undefined }, true)}
        />
      )}
      {make === true && mayWrite && (
        <NewDocument
          place={place}
          onClose={() => change({ make: undefined }, true)}
          onMade={(id) => change({ make: undefined, open: id }, true)}
        />
      )}
    </>
  );
}

interface DocumentsProps {
  place: Place;
  search: DataSearch;
  change: ChangeData;
}

function Documents({ place, search, change }: DocumentsProps) {
  const { where, order } = search;
  const found = useDocuments(place, { where, orderBy: order });
  if (found.isPending) return <Loading what="the documents" />;
  if (found.data === undefined || (found.isError && !found.isFetchNextPageError))
    return <Failed error={found.error} onRetry={() => void found.refetch()} />;
  const rows = found.data.pages.flatMap(({ documents }) => documents);
  if (rows.length === 0)
    return where === undefined ? (
      <Picture icon={Database} title="There is no document in it">
        The collection is there with its first document.
      </Picture>
    ) : (
      <Picture
        icon={SearchX}
        title="No document is like that"
        actions={<Button onClick={() => change({ where: undefined })}>Show all documents</Button>}
      >
        Nothing meets these conditions.
      </Picture>
    );
  return (
    <PagedTable
      found={found}
      label="Documents"
      columns={columnsOf(search)}
      rows={rows}
      keyOf={({ id }) => id}
      isSelected={({ id }) => id === search.open}
    />
  );
}

/** So much of a document a row has room for. */
const SHOWN_CHARS_MAX = 300;

const columnsOf = (search: DataSearch): Column<DataDocument>[] => [
  {
    name: "Id",
    width: "minmax(6rem, 1fr)",
    cell: ({ id }) => (
      <Link to="/data" search={{ ...search, open: id }} {...ROW_LINK}>
        <Words text={id} />
      </Link>
    ),
  },
  {
    name: "Value",
    width: "minmax(7rem, 2fr)",
    cell: ({ value }) => (
      <span className="font-mono text-xs text-ink-2">
        <Words text={(JSON.stringify(value) ?? "").slice(0, SHOWN_CHARS_MAX)} />
      </span>
    ),
  },
  { name: "Version", width: "4.5rem", isNumber: true, from: "lg", cell: ({ version }) => version },
  { name: "Changed", width: "8.5rem", from: "sm", cell: ({ updatedAt }) => <When at={updatedAt} /> },
  {
    name: "Gone",
    width: "8.5rem",
    from: "lg",
    cell: ({ expiresAt }) =>
      expiresAt === null ? <span className="text-ink-3">never</span> : <When at={expiresAt} />,
  },
];
