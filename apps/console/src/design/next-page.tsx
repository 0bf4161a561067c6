import { wordsOf } from "../data/api.ts";
import { Button } from "./button.tsx";
import { Table, type TableProps } from "./table.tsx";
import { Words } from "./words.tsx";

/** A list that comes page by page. */
export interface Paged {
  error: unknown;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  isFetchNextPageError: boolean;
  fetchNextPage: () => Promise<unknown>;
}

/** Fetches the next page by itself; null: there is none, or it failed, and is for somebody to ask for again. */
export const moreOf = ({ hasNextPage, isFetchNextPageError, fetchNextPage }: Paged): (() => void) | null =>
  hasNextPage && !isFetchNextPageError ? () => void fetchNextPage() : null;

/** Why the next page did not come, and a way to ask again. */
export const NextPageFailed = ({ found }: { found: Paged }) =>
  found.isFetchNextPageError && (
    <p role="alert" className="m-2 rounded-md bg-warn-soft px-3 py-2 text-sm">
      More could not be loaded. <Words text={wordsOf(found.error)} />{" "}
      <Button className="ml-2" isBusy={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
        Try again
      </Button>
    </p>
  );

interface PagedTableProps<Row> extends Omit<TableProps<Row>, "more" | "isFetching"> {
  found: Paged;
}

/** A table whose next page comes by itself; below it, why one did not. */
export const PagedTable = <Row,>({ found, ...table }: PagedTableProps<Row>) => (
  <>
    <Table {...table} more={moreOf(found)} isFetching={found.isFetchingNextPage} />
    <NextPageFailed found={found} />
  </>
);

/** The way to the next page of a list that asks for none by itself; nothing where there is none. */
export function ShowMore({ found }: { found: Paged }) {
  if (found.isFetchNextPageError) return <NextPageFailed found={found} />;
  if (!found.hasNextPage) return null;
  return (
    <Button
      look="quiet"
      className="my-2 w-full"
      isBusy={found.isFetchingNextPage}
      onClick={() => void found.fetchNextPage()}
    >
      Show more
    </Button>
  );
}
