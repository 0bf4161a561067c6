import type { ListDataCollectionsAnswer } from "@bulkhead/client";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useCollections } from "../../data/documents.ts";
import { useMayWrite, useMe } from "../../data/session.ts";
import { Button } from "../../design/button.tsx";
import { Database, Plus } from "../../design/icons.tsx";
import { moreOf, NextPageFailed } from "../../design/next-page.tsx";
import { PageHead } from "../../design/page-head.tsx";
import { Failed, Loading, Picture } from "../../design/page-states.tsx";
import { Room } from "../../design/room.tsx";
import { type Column, ROW_LINK, Table } from "../../design/table.tsx";
import { Words } from "../../design/words.tsx";
import { bytes, count } from "../../format/numbers.ts";
import { type ChangeData, type DataSearch, whoseOf } from "./data-search.ts";
import { OpenCollection } from "./open-collection.tsx";

type Row = ListDataCollectionsAnswer["collections"][number];

/** Every collection of the tenant, whosever it is, with how much is in it. */
export function Collections({ change }: { change: ChangeData }) {
  const mayWrite = useMayWrite();
  const found = useCollections();
  const [isOpening, setOpening] = useState(false);
  const open = (
    <Button look="primary" icon={Plus} onClick={() => setOpening(true)}>
      New document
    </Button>
  );
  return (
    <>
      <PageHead title="Data" actions={mayWrite && open}>
        <p className="-mt-2 mb-4 max-w-3xl text-ink-2">
          JSON documents that tools and agents keep by <code>utils.data</code> and the tools for data. Agents
          and users have collections of their own.
        </p>
      </PageHead>
      <div className="p-4 md:px-6">
        <Found found={found} />
      </div>
      {isOpening && (
        <OpenCollection
          onClose={() => setOpening(false)}
          onOpen={(next) => change({ ...next, make: true })}
        />
      )}
    </>
  );
}

function Found({ found }: { found: ReturnType<typeof useCollections> }) {
  const { limits } = useMe();
  if (found.isPending) return <Loading what="the collections" />;
  if (found.data === undefined) return <Failed error={found.error} onRetry={() => void found.refetch()} />;
  const rows = found.data.pages.flatMap(({ collections }) => collections);
  const usage = found.data.pages[0]?.usage;
  return (
    <>
      {rows.length === 0 ? (
        <Picture icon={Database} title="Nothing is kept yet">
          A collection is there with its first document, which a tool puts by utils.data, or you do here.
        </Picture>
      ) : (
        <Table
          label="Collections"
          columns={COLUMNS}
          rows={rows}
          keyOf={({ name, agentId, userId }) => JSON.stringify([agentId, userId, name])}
          more={moreOf(found)}
          isFetching={found.isFetchingNextPage}
        />
      )}
      <NextPageFailed found={found} />
      {usage !== undefined && limits !== null && (
        <Room
          label="Room for data"
          bars={[
            { name: "Collections", used: usage.collections, allowed: limits.maxCollections, words: count },
            { name: "Documents", used: usage.documents, allowed: limits.maxDocuments, words: count },
            { name: "Bytes", used: usage.bytes, allowed: limits.maxAllDocumentBytes, words: bytes },
          ]}
        >
          Of all agents and users of the tenant. A document may have {bytes(limits.maxDocumentBytes)}.
        </Room>
      )}
    </>
  );
}

const searchOf = ({ name, agentId, userId }: Row): DataSearch => ({
  in: name,
  ...(agentId !== null && { agent: agentId }),
  ...(userId !== null && { user: userId }),
});

const COLUMNS: readonly Column<Row>[] = [
  {
    name: "Collection",
    width: "minmax(5rem, 1fr)",
    cell: (row) => (
      <Link to="/data" search={searchOf(row)} {...ROW_LINK}>
        <Words text={row.name} />
      </Link>
    ),
  },
  { name: "Whose", width: "minmax(4.5rem, 1fr)", cell: (row) => <Words text={whoseOf(row)} /> },
  { name: "Documents", width: "6rem", isNumber: true, from: "sm", cell: ({ documents }) => count(documents) },
  { name: "Size", width: "4.5rem", isNumber: true, cell: (row) => bytes(row.bytes) },
];
