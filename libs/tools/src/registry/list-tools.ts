import type { ToolQuery } from "@bulkhead/contracts";
import {
  compact,
  scopeOf,
  searchWords,
  type CatalogueQuery,
  type TenantPrincipal,
  type ToolCatalogue,
} from "@bulkhead/core";
import type { z } from "zod";
import { invalidField, readCursor, writeCursor } from "./catalogue-cursor.ts";
import { seenScope } from "./read-tools.ts";
import { showTools, type ShowToolDeps } from "./show-tools.ts";

type Asked = z.output<typeof ToolQuery> & Pick<CatalogueQuery, "waiting">;

export interface ListToolsDeps extends ShowToolDeps {
  catalogue: Pick<ToolCatalogue, "page" | "names">;
}

/** A page of the tools that the key sees, as outsiders see them. Throws `request.invalid` for a cursor of another list. */
export async function listTools(deps: ListToolsDeps, principal: TenantPrincipal, asked: Asked) {
  const query = readQuery(asked);
  const scope = await seenScope(deps, principal, scopeOf(principal));
  const { tools, count, next } = await deps.catalogue.page(principal.tenantId, { scope, ...query });
  const shown = await showTools(deps, principal.tenantId, tools);
  return { tools: shown, count, nextCursor: writeCursor(query, next) };
}

/** Counts the tools that wait, which are decided about elsewhere than calls. */
export async function countWaitingTools(
  { catalogue }: { catalogue: Pick<ToolCatalogue, "page"> },
  reader: TenantPrincipal,
): Promise<{ count: number; link: string }> {
  const query = { waiting: true, sort: "createdAt", order: "desc", limit: 1, offset: 0 } as const;
  const { count } = await catalogue.page(reader.tenantId, { scope: scopeOf(reader), ...query });
  return { count, link: "/api/v1/custom-tools/pending" };
}

/** Throws `request.invalid` for a cursor of another order, and where `cursor` and `offset` both say where to go on. */
function readQuery({ search, cursor, order, ...rest }: Asked): Omit<CatalogueQuery, "scope"> {
  const sorting = { sort: rest.sort, order: order ?? (rest.sort === "name" ? "asc" : "desc") } as const;
  if (cursor !== undefined && rest.offset > 0) {
    throw invalidField("offset", "can't be combined with cursor");
  }
  return {
    ...compact(rest),
    ...sorting,
    ...(search === undefined || search.trim() === "" ? {} : { words: searchWords(search) }),
    ...(cursor === undefined ? {} : { after: readCursor(sorting, cursor) }),
  };
}
