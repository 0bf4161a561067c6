import { getRouteApi } from "@tanstack/react-router";
import { FilePage } from "./file-page.tsx";
import { type ChangeFiles, type FilesSearch } from "./files-search.ts";
import { FolderPage } from "./folder-page.tsx";

const route = getRouteApi("/files");

/** The files of a workspace: folder by folder, found by paths and by lines, and one of them by itself. */
export function Files() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change: ChangeFiles = (next, replace = false) =>
    void navigate({ search: (before) => ({ ...before, ...next }) as FilesSearch, replace });
  if (search.open === undefined) return <FolderPage search={search} change={change} />;
  return (
    <FilePage
      key={`${search.agent ?? ""} ${search.user ?? ""} ${search.open}`}
      search={search}
      path={search.open}
      change={change}
    />
  );
}
