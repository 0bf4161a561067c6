import { getRouteApi } from "@tanstack/react-router";
import { Collection } from "./collection.tsx";
import { Collections } from "./collections.tsx";
import type { ChangeData, DataSearch } from "./data-search.ts";

const route = getRouteApi("/data");

/** What tools and agents keep by `utils.data` and the tools for data: collections, and the documents of one. */
export function Data() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change: ChangeData = (next, replace = false) =>
    void navigate({ search: (before) => ({ ...before, ...next }) as DataSearch, replace });
  if (search.in === undefined) return <Collections change={change} />;
  return (
    <Collection
      key={`${search.agent ?? ""} ${search.user ?? ""} ${search.in}`}
      search={search}
      collection={search.in}
      change={change}
    />
  );
}
